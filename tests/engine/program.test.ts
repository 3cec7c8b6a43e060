import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { locateInstance } from '../../localcloud/daemon/instance';
import { openInstanceToolchain } from '../../localcloud/commands/context';
import type { Finished } from '../support/command';
import { projectRoot, runProcess } from '../support/command';
import { languageHostVariables } from '../../localcloud/toolchain';

// Proves that the real engine, with our language host, passes the configuration to the program, and that errors
// are reported before any resource is registered. There is no plugin and no Azure.

let folder: string;
let pulumi: string;
let env: Record<string, string>;
let salt: string;

const run = (...args: string[]): Promise<Finished> => runProcess(pulumi, [...args, '--non-interactive'], env);
const stackFile = () => path.join(folder, 'Pulumi.broken.yaml');

async function configure(config: Record<string, unknown>): Promise<void> {
  const keys = Object.entries(config).map(([key, value]) => [`aks-workload-identity:${key}`, value]);
  await writeFile(
    stackFile(),
    stringify({ encryptionsalt: salt, config: Object.fromEntries(keys) as unknown }),
  );
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'program-'));
  const toolchain = openInstanceToolchain(
    locateInstance(projectRoot, { ...process.env, AKS_WI_STATE: folder }),
  );
  pulumi = await toolchain.require('pulumi');
  await mkdir(path.join(folder, 'backend'));
  env = {
    PATH: [path.dirname(pulumi), process.env.PATH ?? ''].join(path.delimiter),
    ...languageHostVariables(projectRoot),
    PULUMI_HOME: path.join(folder, 'home'),
    PULUMI_BACKEND_URL: `file://${path.join(folder, 'backend')}`,
    PULUMI_CONFIG_PASSPHRASE: 'of the test',
    PULUMI_SKIP_UPDATE_CHECK: 'true',
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: 'true',
  };
  // Created in another folder with the same project name, because the engine writes the salt next to the
  // project file.
  await writeFile(
    path.join(folder, 'Pulumi.yaml'),
    stringify({ name: 'aks-workload-identity', runtime: 'nodejs' }),
  );
  const created = await run('stack', 'init', 'broken', '--cwd', folder);
  expect(created).toMatchObject({ code: 0 });
  ({ encryptionsalt: salt } = parse(await readFile(stackFile(), 'utf8')) as { encryptionsalt: string });
}, 900_000);

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('the program with an invalid configuration', () => {
  it('reports every wrong value at once, registers nothing and fails', async () => {
    await configure({
      location: 'West Europe',
      identity: 'clusters',
      vault: { name: 'kv-x', acess: 'rbac' },
      clusters: [{ name: 'aks-1' }],
      applications: [{ name: 'a', image: 'x:1', clusters: ['aks-2'] }],
      protect: false,
    });

    const up = await run('up', '--yes', '--skip-preview', '--stack', 'broken', '--config-file', stackFile());

    expect(up.code).not.toBe(0);
    expect(up.stdout).toContain('Pulumi.broken.yaml has 4 errors; nothing was changed.');
    for (const line of [
      'aks-workload-identity:location: "West Europe" is not allowed.',
      'aks-workload-identity:resourceGroup: is missing.',
      'aks-workload-identity:identity: "clusters" is not allowed. Allowed: cluster, application. Did you mean cluster?',
      'aks-workload-identity:vault.acess: is not a known key.',
      'Rules that span several settings are checked once these are corrected.',
    ]) {
      expect(up.stdout).toContain(line);
    }
    expect(up.stdout + up.stderr).not.toMatch(/at .*\.ts:\d+|unhandled exception/);
    const exported = await run('stack', 'export', '--stack', 'broken');
    const { deployment } = JSON.parse(exported.stdout) as { deployment: { resources?: { type: string }[] } };
    expect((deployment.resources ?? []).map(({ type }) => type)).toEqual(['pulumi:pulumi:Stack']);
  });

  it('does not print the values of secrets', async () => {
    await configure({
      location: 'westeurope',
      resourceGroup: 'rg',
      vault: { name: 'kv-x' },
      clusters: [{ name: 'aks-1' }],
      applications: [{ name: 'a', image: 'x:1', secrets: ['orders-db'] }],
    });
    for (const key of ['secretValues.order-db', 'secretvalues.orders-db']) {
      const set = await run(
        ...['config', 'set', '--stack', 'broken', '--config-file', stackFile(), '--secret'],
        ...['--path', `aks-workload-identity:${key}`, 'value-of-the-test'],
      );
      expect(set.code).toBe(0);
    }

    const previewed = async (message: string) => {
      const preview = await run('preview', '--stack', 'broken', '--config-file', stackFile());
      expect(preview.code).not.toBe(0);
      expect(preview.stdout).toContain(message);
      expect(preview.stdout + preview.stderr).not.toContain('value-of-the-test');
    };
    await previewed('aks-workload-identity:secretvalues: is not a known key.');

    const removed = await run(
      ...[
        'config',
        'rm',
        '--stack',
        'broken',
        '--config-file',
        stackFile(),
        'aks-workload-identity:secretvalues',
      ],
    );
    expect(removed.code).toBe(0);
    await previewed(
      'aks-workload-identity:secretValues.order-db: is a secret that no application names. Did you mean orders-db?',
    );
  });
});
