/**
 * An environment that becomes cells: in a clone, with the engine on PATH and the local cloud in place of Azure, as a platform
 * team would do it. The tests are steps of one story and run in order. They do not prove what Azure does at the limits of a
 * fleet, nor parallel cells at scale.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { stringify } from 'yaml';
import { checkpointFile } from '../../localcloud/commands/backendFiles';
import { requireServing } from '../../localcloud/commands/cloud';
import { openInstanceToolchain, pulumiContext } from '../../localcloud/commands/context';
import { locateStack } from '../../localcloud/commands/localStack';
import { installPlugins } from '../../localcloud/commands/plugins';
import { locateInstance } from '../../localcloud/daemon/instance';
import { projectRoot, runProcess, type Finished } from '../support/command';
import { localCloud } from '../support/localCloud';
import { configuration } from './pipelineSettings';
import { signInAs } from './support/workloads';

jest.setTimeout(15 * 60_000);

const cloud = localCloud('fleets');
const instance = locateInstance(projectRoot, { ...process.env, AKS_WI_STATE: cloud.state });
const clone = path.join(cloud.state, 'clone');
let env: Record<string, string>;

const run = (file: string, args: string[]): Promise<Finished> => runProcess(file, args, env, { cwd: clone });
async function succeed(file: string, args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(file, args);
  if (code !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${code}\n${stdout}\n${stderr}`);
  return stdout + stderr;
}
const wi = (...args: string[]) => run(process.execPath, ['cli/bin.mjs', ...args]);
const wiSucceeds = (...args: string[]) => succeed(process.execPath, ['cli/bin.mjs', ...args]);
const pulumi = (stack: string, ...args: string[]) =>
  succeed('pulumi', [...args, '--stack', stack, '--non-interactive']);
const setSecret = (name: string) =>
  pulumi('fleet', 'config', 'set', '--secret', '--path', `secretValues.${name}`, `value of ${name}`);

const image = 'ghcr.io/aks-workload-identity/reader:0.1.0';
const names = ['aks-1', 'aks-2', 'aks-3', 'aks-4'];
const settings = {
  ...{ location: 'westeurope', resourceGroup: 'rg-fleet', retainOnDelete: false },
  vault: { name: 'kv-fleet', publicAccess: true, softDeleteRetentionInDays: 7, purgeProtection: false },
  clusters: names.map((name) => ({ name })),
  ...{ certManager: { install: false }, serviceOperator: { install: false } },
  groups: [{ name: 'readers', secrets: ['shared'] }],
  applications: [
    { name: 'orders', image, replicas: 1, secrets: ['orders-db'], groups: ['readers'] },
    {
      name: 'billing',
      image,
      replicas: 1,
      identity: 'application',
      clusters: ['aks-2'],
      secrets: ['billing-db'],
    },
  ],
};
const cells = [
  { name: 'canary', clusters: ['aks-1'] },
  { name: 'second', wave: 2, clusters: ['aks-2'] },
  { name: 'third', wave: 3, clusters: ['aks-3'] },
  { name: 'fourth', wave: 3, clusters: ['aks-4'] },
];
const stackFile = path.join(clone, 'Pulumi.fleet.yaml');
const write = (values: object) => {
  const before = existsSync(stackFile) ? readFileSync(stackFile, 'utf8') : '';
  const secrets = /\n {2}aks-workload-identity:secretValues:\n(?: {4}.*\n)+/.exec(before)?.[0] ?? '\n';
  const salt = /^encryptionsalt: .*$/m.exec(before)?.[0] ?? '';
  const text = stringify({ config: configuration('aks-workload-identity', values) });
  writeFileSync(stackFile, `${text.trimEnd()}${secrets}${salt}\n`);
};

/** Ids in Azure, and of objects in clusters, of what the stacks have. */
async function idsIn(...stacks: string[]): Promise<string[]> {
  const states = await Promise.all(stacks.map((stack) => pulumi(stack, 'stack', 'export')));
  const all = states.flatMap(
    (text) =>
      (JSON.parse(text) as { deployment: { resources: { type: string; custom: boolean; id?: string }[] } })
        .deployment.resources,
  );
  const own = all.filter(({ type, custom, id }) => custom && id && !type.startsWith('pulumi:'));
  return [...new Set(own.map(({ type, id = '' }) => `${type} ${id}`))].sort();
}

/** Returns the engine's counts of what the last update of each stack did. Ids do not show it: a replaced resource keeps its id. */
async function changesIn(...stacks: string[]): Promise<Record<string, readonly string[]>> {
  const all = stacks.map(async (stack) => {
    const text = await pulumi(stack, 'stack', 'history', '--json', '--page-size', '1', '--page', '1');
    const [last] = JSON.parse(text) as { kind: string; resourceChanges?: Record<string, number> }[];
    return [stack, [last?.kind ?? 'none', ...Object.keys(last?.resourceChanges ?? {}).sort()]] as const;
  });
  return Object.fromEntries(await Promise.all(all));
}
const nothingChanged = (...stacks: string[]) =>
  Object.fromEntries(stacks.map((stack) => [stack, ['update', 'same']]));

beforeAll(async () => {
  await cloud.start();
  const toolchain = openInstanceToolchain(instance);
  ({ env } = await pulumiContext(instance, requireServing(instance), toolchain, locateStack(instance)));
  const ofLocal = /^(PULUMI_STACK|AKS_WI_CONFIG_FILE|AKS_WI_PULUMI)$/;
  env = Object.fromEntries(Object.entries(env).filter(([name]) => !ofLocal.test(name)));
  env.AKS_WI_VERIFY_TIMEOUT = '60';
  installPlugins(instance);
  mkdirSync(instance.pulumiBackend, { recursive: true });
  const git = (...args: string[]) =>
    runProcess(
      'git',
      ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args],
      {},
      { cwd: cloud.state },
    );
  await git('clone', '--quiet', projectRoot, clone);
  symlinkSync(path.join(projectRoot, 'node_modules'), path.join(clone, 'node_modules'));
}, 15 * 60_000);
afterAll(() => cloud.clean());

let before: string[];

/** Reads a secret as an application on the last cluster, with its first token, until it is stopped. */
async function readAllTheTime() {
  const azure = await cloud.azure();
  const { workloads } = await cloud.outputs('fleet');
  const found = workloads.find(({ cluster, application }) => cluster === 'aks-4' && application === 'orders');
  if (found === undefined) throw new Error('there is no application on aks-4');
  const { cluster, namespace, serviceAccount, identity } = found;
  const credential = await signInAs(cloud, azure, identity.clientId, { cluster, namespace, serviceAccount });
  const client = azure.secrets('kv-fleet', credential);
  let stopped = false;
  const result = { reads: 0, failures: [] as unknown[] };
  const reading = (async () => {
    while (!stopped) {
      await client.getSecret('orders-db').then(
        () => {
          result.reads += 1;
        },
        (error: unknown) => result.failures.push(error),
      );
      await setTimeout(200);
    }
  })();
  const stop = async () => {
    stopped = true;
    await reading;
    return result;
  };
  return { result, stop };
}

describe('an environment of one stack', () => {
  it('is deployed', async () => {
    write(settings);
    await pulumi('fleet', 'stack', 'init');
    for (const name of ['orders-db', 'billing-db', 'shared']) await setSecret(name);
    await pulumi('fleet', 'up', '--yes', '--skip-preview');
    before = await idsIn('fleet');
    expect((await changesIn('fleet')).fleet).toContain('create');
    expect(before.length).toBeGreaterThan(30);
  });
});

describe('its cells', () => {
  const stacks = ['fleet', ...cells.map(({ name }) => `fleet-${name}`)];
  let reader: Awaited<ReturnType<typeof readAllTheTime>>;
  let readsBefore: number;
  beforeAll(async () => (reader = await readAllTheTime()));
  beforeEach(() => (readsBefore = reader.result.reads));
  const readsGoOn = () => {
    expect(reader.result.reads).toBeGreaterThan(readsBefore);
    expect(reader.result.failures).toEqual([]);
  };

  it('are not deployed before the resources have moved, and nothing is removed', async () => {
    write({ ...settings, cells });
    const { code, stdout, stderr } = await run('pulumi', [
      'up',
      '--yes',
      '--skip-preview',
      '--stack',
      'fleet',
      '--non-interactive',
    ]);
    expect(code).not.toBe(0);
    expect(stdout + stderr).toMatch(
      /assigns aks-1, aks-2, aks-3, aks-4 to another stack.*fleet move --stack fleet/,
    );
    expect((await wi('fleet', 'up', '--stack', 'fleet', '--yes')).stderr).toMatch(
      /There is no stack file of fleet-canary, fleet-second, fleet-third, fleet-fourth\./,
    );
    expect(await idsIn('fleet')).toEqual(before);
    readsGoOn();
  });

  it('get the resources of their clusters, and the environment keeps the rest', async () => {
    expect(await wiSucceeds('fleet', 'move', '--stack', 'fleet', '--yes')).toMatch(
      /fleet → fleet-canary: \d+ resources/,
    );

    expect(await idsIn('fleet', ...cells.map(({ name }) => `fleet-${name}`))).toEqual(before);
    expect((await idsIn('fleet')).filter((id) => /aks-\d|kubernetes:/.test(id))).toEqual([]);
    expect(await wiSucceeds('fleet', 'move', '--stack', 'fleet', '--yes')).toMatch(
      /Every resource is in the state of its stack/,
    );
    readsGoOn();
  });

  it('change nothing in Azure and in the clusters when they are deployed for the first time', async () => {
    const output = await wiSucceeds('fleet', 'up', '--stack', 'fleet', '--yes');

    expect(output).toMatch(/fleet and its 4 cells are deployed and verified/);
    expect(await idsIn(...stacks)).toEqual(before);
    expect(await changesIn(...stacks)).toEqual(nothingChanged(...stacks));
    readsGoOn();
  });

  it('did not interrupt the applications at any time', async () => {
    const { reads, failures } = await reader.stop();
    expect(reads).toBeGreaterThan(10);
    expect(failures).toEqual([]);
  });

  it('are verified as one environment, and shown', async () => {
    expect(await wiSucceeds('verify', '--stack', 'fleet')).toMatch(/\n[1-9]\d* checks passed, 0 failed/);
    const { stdout } = await wi('fleet', 'status', '--stack', 'fleet', '--verify', '--json');
    const { stacks } = JSON.parse(stdout) as {
      stacks: { stack: string; wave?: number; result: string; verification?: { failed: number } }[];
    };
    expect(stacks.map(({ stack, wave, result }) => [stack, wave, result])).toEqual([
      ['fleet', undefined, 'succeeded'],
      ['fleet-canary', 1, 'succeeded'],
      ['fleet-second', 2, 'succeeded'],
      ['fleet-third', 3, 'succeeded'],
      ['fleet-fourth', 3, 'succeeded'],
    ]);
    expect(stacks.map(({ verification }) => verification?.failed)).toEqual([undefined, 0, 0, 0, 0]);
  });

  it.each([
    ['access', '--deployed'],
    ['drift'],
    ['orphans'],
    ['hosted-clusters'],
    ['revoke', '--application', 'orders', '--dry-run'],
  ])('answer %s as one environment, and name the one that cannot be read', async (command, ...args) => {
    const ask = () => wi(command, '--stack', 'fleet', ...args, '--json');
    const whole = await ask();
    expect([whole.code, whole.stderr]).toEqual([0, expect.not.stringContaining('fleet-fourth')]);

    const state = checkpointFile(instance, 'fleet-fourth');
    renameSync(state, `${state}.away`);
    try {
      const partly = await ask();
      expect(partly.code).toBe(1);
      expect(partly.stderr).toContain('warning: the cell fleet-fourth cannot be read and is left out: ');
    } finally {
      renameSync(`${state}.away`, state);
    }
  });
});

describe('a change that the verification of the first wave refuses', () => {
  const granted = async () =>
    (await idsOfGrants()).map((name) => name.replace(/^kv-fleet\/|\/orders-key$/g, ''));
  async function idsOfGrants(): Promise<string[]> {
    const states = await Promise.all(cells.map(({ name }) => pulumi(`fleet-${name}`, 'stack', 'export')));
    return states.flatMap((text) =>
      [...text.matchAll(/::(kv-fleet\/[\w-]+\/orders-key)"/g)].flatMap(([, name = '']) => name),
    );
  }
  let foreign: string;

  it('stops there, and leaves the later waves as they are', async () => {
    const { principalId } = (await cloud.outputs('fleet-canary')).workloads[0]?.identity ?? {
      principalId: '',
    };
    // Somebody else's grant on the canary.
    const { roleAssignments } = (await cloud.azure()).authorization();
    const scope = `/subscriptions/${env.ARM_SUBSCRIPTION_ID ?? ''}/resourceGroups/rg-fleet`;
    const reader = `${scope.split('/resourceGroups')[0] ?? ''}/providers/Microsoft.Authorization/roleDefinitions/acdd72a7-3385-48ef-bd42-f606fba81ae7`;
    const assignment = { principalId, principalType: 'ServicePrincipal', roleDefinitionId: reader } as const;
    foreign = (await roleAssignments.create(scope, randomUUID(), assignment)).id ?? '';
    const [orders, ...others] = settings.applications;
    write({
      ...settings,
      cells,
      applications: [{ ...orders, secrets: ['orders-db', 'orders-key'] }, ...others],
    });
    await setSecret('orders-key');

    const { code, stderr } = await wi('fleet', 'up', '--stack', 'fleet', '--yes');

    expect(code).toBe(1);
    expect(stderr).toMatch(
      /fleet-canary: verification failed\. See `npx aks-wi verify --stack fleet-canary`/,
    );
    expect(stderr).toMatch(/fleet-second: not started/);
    expect([...new Set(await granted())]).toEqual(['aks-1']);
  });

  it('is finished by a second run, once it is mended', async () => {
    await (await cloud.azure()).authorization().roleAssignments.deleteById(foreign);

    expect(await wiSucceeds('fleet', 'up', '--stack', 'fleet', '--yes')).toMatch(
      /fleet and its 4 cells are deployed and verified/,
    );
    expect([...new Set(await granted())].sort()).toEqual(['aks-1', 'aks-2', 'aks-3', 'aks-4']);
  });
});

describe('an environment whose cells are removed', () => {
  it('is one stack again, and nothing else changes', async () => {
    const inCells = await idsIn('fleet', ...cells.map(({ name }) => `fleet-${name}`));
    const [orders, ...others] = settings.applications;
    write({ ...settings, applications: [{ ...orders, secrets: ['orders-db', 'orders-key'] }, ...others] });

    expect(await wiSucceeds('fleet', 'move', '--stack', 'fleet', '--yes')).toMatch(
      /fleet-canary → fleet: \d+ resources/,
    );
    await pulumi('fleet', 'up', '--yes', '--skip-preview');

    expect(await idsIn('fleet')).toEqual(inCells);
    expect(await changesIn('fleet')).toEqual(nothingChanged('fleet'));
    expect(await wiSucceeds('verify', '--stack', 'fleet')).toMatch(/\n[1-9]\d* checks passed, 0 failed/);
  });
});
