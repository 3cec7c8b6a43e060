import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { openInstanceToolchain } from '../../localcloud/commands/context';
import { locateInstance } from '../../localcloud/daemon/instance';
import { languageHostVariables } from '../../localcloud/toolchain';
import type { Finished } from '../support/command';
import { projectRoot, runProcess } from '../support/command';

// Proves that the real engine asks the policy pack about every resource, stops at what a policy refuses, and lets pass what
// the stack file excepts. The resources need no plugin: the program registers them as components of Azure's types.

let folder: string;
let env: Record<string, string>;
let pulumi: string;
let salt: string;

const stackFile = () => path.join(folder, 'Pulumi.test.yaml');
const run = (...args: string[]): Promise<Finished> =>
  runProcess(pulumi, [...args, '--cwd', folder, '--non-interactive'], env);
const withPack = (command: string, ...args: string[]) =>
  run(command, '--stack', 'test', '--policy-pack', path.join(projectRoot, 'policy'), ...args);
const up = () => withPack('up', '--yes', '--skip-preview');

/** Stands for what is not known before the update. */
const notKnown = 'not known yet';
const program = `
const pulumi = require('@pulumi/pulumi');
class Resource extends pulumi.Resource {
  constructor(type, name, inputs) {
    super(type, name, false, inputs);
    pulumi.runtime.registerResourceOutputs(this, inputs);
  }
}
const provider = {
  check: async (_, inputs) => ({ inputs, failures: [] }),
  create: async (inputs) => ({ id: 'made', outs: inputs }),
};
const dynamic = process.env.DYNAMIC && new pulumi.dynamic.Resource(provider, process.env.DYNAMIC, {});
const known = (_, value) => (value === '${notKnown}' ? dynamic.id : value);
for (const [type, name, inputs] of JSON.parse(process.env.RESOURCES, known)) new Resource(type, name, inputs);
`;

const vault = (properties: object) => ['azure-native:keyvault:Vault', 'kv-test', tagged({ properties })];
const tagged = (inputs: object) => ({ ...inputs, tags: { 'pulumi-stack': 'of the test' } });
const cluster = (issuerUrl: string) => [
  'aks-workload-identity:cluster:WorkloadIdentityCluster',
  'aks-1',
  { issuerUrl },
];
const credential = (issuer: string) => [
  'azure-native:managedidentity:FederatedIdentityCredential',
  'aks-1/orders',
  { issuer, audiences: ['api://AzureADTokenExchange'] },
];
const exception = (until: string) => ({
  exceptions: [{ policy: 'access-mode', resource: 'kv-test', reason: 'until it is moved', until }],
});

async function writeStack(policies: object, ...resources: unknown[]): Promise<void> {
  env.RESOURCES = JSON.stringify(resources);
  const config = { 'aks-workload-identity:policies': policies };
  await writeFile(stackFile(), stringify({ encryptionsalt: salt, config }));
}

/** Names of the resources in the state, but the stack itself. */
async function created(): Promise<string[]> {
  const { stdout } = await run('stack', 'export', '--stack', 'test');
  const { deployment } = JSON.parse(stdout) as { deployment: { resources?: { urn: string }[] } };
  return (deployment.resources ?? []).map(({ urn }) => urn.split('::').at(-1) ?? '').slice(1);
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'policy-'));
  const toolchain = openInstanceToolchain(
    locateInstance(projectRoot, { ...process.env, AKS_WI_STATE: folder }),
  );
  pulumi = await toolchain.require('pulumi');
  await mkdir(path.join(folder, 'backend'));
  await symlink(path.join(projectRoot, 'node_modules'), path.join(folder, 'node_modules'));
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ name: 'test', main: 'index.js' }));
  await writeFile(path.join(folder, 'index.js'), program);
  await writeFile(
    path.join(folder, 'Pulumi.yaml'),
    stringify({ name: 'aks-workload-identity', runtime: 'nodejs' }),
  );
  env = {
    PATH: [path.dirname(pulumi), process.env.PATH ?? ''].join(path.delimiter),
    ...languageHostVariables(projectRoot),
    PULUMI_HOME: path.join(folder, 'home'),
    PULUMI_BACKEND_URL: `file://${path.join(folder, 'backend')}`,
    PULUMI_CONFIG_PASSPHRASE: 'of the test',
    PULUMI_SKIP_UPDATE_CHECK: 'true',
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: 'true',
    AKS_WI_CONFIG_FILE: stackFile(),
  };
  expect(await run('stack', 'init', 'test')).toMatchObject({ code: 0 });
  ({ encryptionsalt: salt } = parse(await readFile(stackFile(), 'utf8')) as { encryptionsalt: string });
}, 900_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

it('starts from its sources, as on Azure; the local cloud runs its bundle', async () => {
  const pack = spawn(process.execPath, ['index.js'], { cwd: path.join(projectRoot, 'policy') });
  const [port] = (await once(pack.stdout, 'data')) as [Buffer];
  pack.kill();
  expect(String(port)).toMatch(/^\d+\n/);
});

describe('an update with the policy pack', () => {
  it('does not create what a policy refuses, and says which and why', async () => {
    await writeStack({}, vault({}));
    const { code, stdout } = await up();
    expect(code).not.toBe(0);
    expect(stdout).toMatch(/\[mandatory\]\s+access-mode\s+\(azure-native:keyvault:Vault: kv-test\)/);
    expect(stdout).toContain('enableRbacAuthorization is not set. Set it to true, or to false');
    expect(await created()).toEqual([]);
  });

  it('does not create it for an expired exception', async () => {
    await writeStack(exception('2020-01-01'), vault({}));
    expect((await up()).code).not.toBe(0);
    expect(await created()).toEqual([]);
  });

  it('creates it while an exception holds, and says so', async () => {
    await writeStack(exception('2999-01-01'), vault({}));
    const { code, stdout } = await up();
    expect(stdout).toMatch(/\[advisory\]\s+access-mode \(advisory\)/);
    expect(stdout).toContain(
      'Excepted until 2999-01-01 (until it is moved): enableRbacAuthorization is not set.',
    );
    expect(code).toBe(0);
    expect(stdout).not.toContain('unused-exception');
    expect(await created()).toEqual(['kv-test']);
  });

  it('names an exception for no resource of the stack', async () => {
    await writeStack(exception('2999-01-01'), ['test:index:Other', 'other', {}]);
    const { code, stdout } = await up();
    expect(stdout).toMatch(/\[advisory\]\s+unused-exception/);
    expect(stdout).toContain('The policy access-mode has an exception for kv-test,');
    expect(code).toBe(0);
  });

  it('creates it where policies only advise', async () => {
    await writeStack({ level: 'advisory' }, vault({}));
    const { code, stdout } = await up();
    expect(stdout).toMatch(/\[advisory\]\s+access-mode \(advisory\)/);
    expect(code).toBe(0);
  });

  it.each([
    [false, 0, 'made', '[advisory]  not-judged (advisory)'],
    [true, 1, 'refused', '[mandatory]  not-judged'],
  ])('says what is not judged, in production %s', async (isProduction, code, name, finding) => {
    await writeStack({ production: isProduction });
    env.DYNAMIC = name;
    const update = await up();
    delete env.DYNAMIC;
    expect(update.stdout).toContain(finding);
    expect(update.stdout).toContain(
      'pulumi-nodejs:dynamic:Resource is not judged: no rule covers the package pulumi-nodejs.',
    );
    expect(update.code).toBe(code);
    expect((await created()).includes(name)).toBe(code === 0);
  });

  it('holds a pull request to the settings of the environment, and not to those of the stack file', async () => {
    await writeStack({ level: 'advisory' }, vault({}));
    env.AKS_WI_POLICIES = '{"exceptions":[]}';
    const { code, stdout } = await withPack('preview');
    delete env.AKS_WI_POLICIES;
    expect(stdout).toMatch(/\[mandatory\]\s+access-mode/);
    expect(code).not.toBe(0);
  });

  it('is silent where nothing is wrong', async () => {
    await writeStack({}, vault({ enableRbacAuthorization: true }));
    const { code, stdout } = await up();
    expect(stdout).not.toMatch(/\[(advisory|mandatory)\]/);
    expect(code).toBe(0);
  });
});

describe('a preview with the policy pack', () => {
  const ours = 'https://oidc.test/ours/';

  it('fails at a credential that trusts an issuer of no cluster of the stack', async () => {
    await writeStack({}, cluster(ours), credential('https://oidc.test/theirs/'));
    const { code, stdout } = await withPack('preview');
    expect(code).not.toBe(0);
    expect(stdout).toMatch(
      /\[mandatory\]\s+trusted-issuer\s+\(azure-native:managedidentity:FederatedIdentityCredential: aks-1\/orders\)/,
    );
    expect(stdout).toContain(
      'It trusts https://oidc.test/theirs/, which is not the issuer of a cluster of this stack.',
    );
  });

  it('fails at it beside one of the operator whose issuer is not known yet', async () => {
    const ofOperator = [
      'kubernetes:managedidentity.azure.com/v1api20230131:FederatedIdentityCredential',
      'aks-1/files',
      { spec: { issuer: notKnown } },
    ];
    await writeStack({}, cluster(ours), ofOperator, credential('https://oidc.test/theirs/'));
    env.DYNAMIC = 'made';
    const { code, stdout } = await withPack('preview');
    delete env.DYNAMIC;
    expect(code).not.toBe(0);
    expect(stdout).toMatch(/\[mandatory\]\s+trusted-issuer\s+\(azure-native:/);
  });

  it('passes where it trusts a cluster of the stack', async () => {
    await writeStack({}, cluster(ours), credential(ours));
    expect(await withPack('preview')).toMatchObject({ code: 0 });
  });
});
