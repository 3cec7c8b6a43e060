/**
 * The state of a stack (docs/state.md), with the real engine on a backend of files: it holds no plain secret, by a passphrase
 * and by a key of a vault of the local Azure; and of two updates at once, one is refused. It does not prove the backends of
 * Azure Blob Storage and of Pulumi Cloud, which no machine has; their locks are their own.
 *
 * The tests are steps of one story and run in order.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openEngine } from '../../localcloud/tests/support/plugins/engine';
import { withCloud } from '../../localcloud/tests/support/azure';
import { projectRoot, runProcess } from '../support/command';

jest.setTimeout(300_000);

/** A program with a secret and a plain value, which waits where the test says so. */
const program = `
const { existsSync, writeFileSync } = require('node:fs');
const pulumi = require('@pulumi/pulumi');
module.exports = async () => {
  const { STARTED, UNTIL, UPDATE } = process.env;
  new pulumi.ComponentResource('test:state:Thing', UPDATE);
  if (STARTED !== undefined) writeFileSync(STARTED, '');
  while (UNTIL !== undefined && !existsSync(UNTIL)) await new Promise((again) => setTimeout(again, 50));
  return { token: new pulumi.Config().requireSecret('token'), update: UPDATE };
};
`;

const cloud = withCloud();
const secret = randomBytes(24).toString('hex');
const unversioned = 'azurekeyvault://kv-state.vault.azure.net/keys/state';
let key: string;
let env: Record<string, string>;
let backend: string;
let folder: string;

const pulumi = (args: readonly string[], more: Record<string, string> = {}) =>
  runProcess(
    'pulumi',
    [...args, '--stack', 'test', '--non-interactive'],
    { ...env, ...more },
    { cwd: folder },
  );
async function succeed(args: readonly string[], more?: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await pulumi(args, more);
  if (code !== 0) throw new Error(`pulumi ${args.join(' ')} ended with ${code}\n${stdout}\n${stderr}`);
  return stdout;
}
const up = (update: string, more: Record<string, string> = {}) =>
  pulumi(['up', '--yes', '--skip-preview'], { UPDATE: update, ...more });

/** Everything that the backend and the project's folder have, one file after the other. */
const written = (): string =>
  [backend, folder]
    .flatMap((root) =>
      readdirSync(root, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8')),
    )
    .join('\n');

interface Exported {
  deployment: {
    secrets_providers: { type: string; state: { url?: string } };
    resources: { urn: string; outputs?: Record<string, unknown> }[];
    pending_operations?: unknown[];
  };
}
const exported = async () => (JSON.parse(await succeed(['stack', 'export'])) as Exported).deployment;
const thingsIn = ({ resources }: Exported['deployment']) =>
  resources.filter(({ urn }) => urn.includes('test:state:Thing')).map(({ urn }) => urn.split('::').at(-1));

/** That neither the state nor the stack file has the secret, and that it would have been seen. */
async function expectSealed(update: string): Promise<void> {
  const text = written();
  expect(text).toContain(update);
  for (const form of [secret, Buffer.from(secret).toString('base64'), Buffer.from(secret).toString('hex')])
    expect(text).not.toContain(form);
  expect(await succeed(['stack', 'output', 'token', '--show-secrets'])).toBe(`${secret}\n`);
}

beforeAll(async () => {
  const engine = await openEngine(cloud, []);
  const { clientId, clientSecret, tenantId } = cloud.azure.credentials;
  ({ backend } = engine);
  env = {
    ...engine.settings.envVars,
    PULUMI_HOME: engine.settings.pulumiHome ?? '',
    ...{ AZURE_TENANT_ID: tenantId, AZURE_CLIENT_ID: clientId, AZURE_CLIENT_SECRET: clientSecret },
    SSL_CERT_FILE: cloud.azure.caFile,
  };
  folder = path.join(cloud.stateDir, 'project');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'Pulumi.yaml'), 'name: state\nruntime: nodejs\nmain: program/\n');
  // Beside what is searched for secrets.
  mkdirSync(path.join(folder, 'program'));
  writeFileSync(path.join(folder, 'program', 'index.js'), program);
  writeFileSync(path.join(folder, 'program', 'package.json'), '{"main":"index.js"}');
  // Not in the folder: from Node 22 on, the search follows links.
  symlinkSync(path.join(projectRoot, 'node_modules'), path.join(cloud.stateDir, 'node_modules'));
}, 900_000);

describe('the state of a stack', () => {
  it('has no plain secret by default: a passphrase encrypts it', async () => {
    await succeed(['stack', 'init']);
    await succeed(['config', 'set', '--secret', 'token', secret]);
    expect((await up('first-update')).code).toBe(0);

    expect((await exported()).secrets_providers.type).toBe('passphrase');
    await expectSealed('first-update');
  });

  it('is encrypted by a key of a vault after a change of the provider, and no longer by the passphrase', async () => {
    await cloud.makeVault('kv-state');
    const { properties } = await cloud.keys('kv-state').createRsaKey('state');
    key = `${unversioned}/${properties.version ?? ''}`;
    await succeed(['stack', 'change-secrets-provider', key]);
    const stackFile = readFileSync(path.join(folder, 'Pulumi.test.yaml'), 'utf8');
    expect(stackFile).toContain(`secretsprovider: ${key}`);
    expect(stackFile).toContain('encryptedkey: ');
    expect(stackFile).not.toContain('encryptionsalt');
    env = { ...env, PULUMI_CONFIG_PASSPHRASE: '' };
    expect((await up('second-update')).code).toBe(0);

    expect((await exported()).secrets_providers).toMatchObject({ type: 'cloud', state: { url: key } });
    await expectSealed('second-update');
  });

  it('cannot be read without the right to use the key', async () => {
    const { clientId } = cloud.principal('without-a-role');
    const stranger = { AZURE_CLIENT_ID: clientId, AZURE_CLIENT_SECRET: 'not-secret-without-a-role' };

    const { code, stdout, stderr } = await pulumi(['stack', 'output', 'token', '--show-secrets'], stranger);

    expect(code).not.toBe(0);
    expect(stdout).not.toContain(secret);
    expect(stderr).toContain('ForbiddenByRbac');
  });

  it('can be read after the key has a new version, if the provider names the version, and only then', async () => {
    const other = path.join(cloud.stateDir, 'other');
    mkdirSync(other);
    writeFileSync(path.join(other, 'Pulumi.yaml'), 'name: other\nruntime: nodejs\n');
    const inOther = (...args: string[]) =>
      runProcess('pulumi', [...args, '--stack', 'other', '--non-interactive'], env, { cwd: other });
    expect((await inOther('stack', 'init', '--secrets-provider', unversioned)).code).toBe(0);
    expect((await inOther('config', 'set', '--secret', 'token', secret)).code).toBe(0);
    expect((await inOther('config', 'get', 'token')).stdout).toBe(`${secret}\n`);
    await cloud.keys('kv-state').createRsaKey('state');

    await expectSealed('second-update');
    const { code, stderr } = await inOther('config', 'get', 'token');
    expect(code).not.toBe(0);
    expect(stderr).toContain('BadParameter');
  });

  it('is changed by one update at a time: a second one is refused and writes nothing', async () => {
    const [started, until] = ['started', 'until'].map((name) => path.join(cloud.stateDir, name));
    const running = up('third-update', { STARTED: started ?? '', UNTIL: until ?? '' });
    const wait = () => new Promise((again) => setTimeout(again, 50));
    const isOver = running.then(() => true);
    while (!existsSync(started ?? '') && (await Promise.race([isOver, wait()])) !== true);
    expect(existsSync(started ?? '')).toBe(true);

    const second = await up('refused-update');
    const between = written();
    writeFileSync(until ?? '', '');
    const first = await running;

    expect(second.code).not.toBe(0);
    expect(`${second.stdout}${second.stderr}`).toMatch(/the stack is currently locked by 1 lock/);
    expect(between).not.toContain('refused-update');
    expect(`${first.code} ${first.stderr}`).toBe('0 ');
    const after = await exported();
    expect(thingsIn(after)).toEqual(['third-update']);
    expect(after.pending_operations ?? []).toEqual([]);
    await expectSealed('third-update');
    expect((await up('fourth-update')).code).toBe(0);
    expect(thingsIn(await exported())).toEqual(['fourth-update']);
  });
});
