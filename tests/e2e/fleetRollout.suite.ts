import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseAllDocuments, stringify } from 'yaml';
import { requireServing } from '../../localcloud/commands/cloud';
import { checkpointFile, inBackend } from '../../localcloud/commands/backendFiles';
import { openInstanceToolchain, pulumiContext } from '../../localcloud/commands/context';
import { locateStack } from '../../localcloud/commands/localStack';
import { installPlugins } from '../../localcloud/commands/plugins';
import type { Instance } from '../../localcloud/daemon/instance';
import { Miss, until } from '../../localcloud/tests/support/kubernetes/client';
import { succeedIn } from '../support/installed';
import { processesOf } from '../support/processes';
import { configuration } from './pipelineSettings';
import type { ManagementCluster } from './support/managementCluster';

const secretsUser = '4633458b-17de-408a-b874-0445c86b69e6';
const image = 'ghcr.io/aks-workload-identity/reader:0.1.0';
const cells = [
  { name: 'canary', clusters: ['aks-1'] },
  { name: 'second', wave: 2, clusters: ['aks-2'] },
  { name: 'third', wave: 3, clusters: ['aks-3'] },
  { name: 'fourth', wave: 3, clusters: ['aks-4'] },
];
const stacks = ['fleet', ...cells.map(({ name }) => `fleet-${name}`)];

/** Variables of the person's sign-in, and those that the local cloud gives each pod itself. */
const notOfPods =
  /^(ARM|AZURE)_|PASSPHRASE|^(PULUMI_STACK|AKS_WI_CONFIG_FILE|AKS_WI_PULUMI)$|_proxy$|^NODE_EXTRA_CA_CERTS$|^SSL_CERT_FILE$/i;

/**
 * The project's own command with the real engine in the pods of a JobSet, signed in with workload identity: the first rollout of
 * an environment of four cells in three waves. The tests are steps of one story and run in order. They do not prove an image,
 * nor the end of a whole node.
 */
export function fleetRolloutSuite(
  management: ManagementCluster,
  instance: Instance,
  clone: string,
  created: () => Awaited<ReturnType<ManagementCluster['create']>>,
): void {
  let env: Record<string, string>;
  let jobSet: { metadata: { name: string } };
  let foreign: string;
  const jobOf = (wave: string) => `${jobSet.metadata.name}-${wave}-0`;

  const succeed = (file: string, ...args: string[]) => succeedIn(clone, file, args, env);
  const wi = (...args: string[]) => succeed(process.execPath, 'cli/bin.mjs', ...args);
  const pulumi = (...args: string[]) => succeed('pulumi', ...args, '--stack', 'fleet', '--non-interactive');

  /** Text of the state of a stack, which the engine writes at each step. */
  const stateOf = (stack: string) => {
    const file = checkpointFile(instance, stack);
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  };
  const hasResources = (stack: string) => stateOf(stack).includes('"urn"');
  const locks = () =>
    readdirSync(inBackend(instance, 'locks'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.json'),
    );

  const processOf = (pattern: RegExp) =>
    until(`a process of ${pattern}`, async () => {
      const found = await processesOf(instance.folder);
      return found.find(({ command }) => pattern.test(command))?.pid ?? new Miss('');
    });
  const killed = async (pattern: RegExp) => process.kill(await processOf(pattern), 'SIGKILL');

  /** Counts the engines of each stack that run at once, in the order of their first starts, until it is stopped. */
  function watchEngines(): () => Promise<Map<string, number>> {
    const most = new Map<string, number>();
    let over = false;
    const watching = (async () => {
      while (!over) {
        const commands = (await processesOf(clone)).map(({ command }) => command);
        for (const stack of stacks) {
          const count = commands.filter(
            (command) => /^\S*pulumi up .* --stack (\S+)$/.exec(command)?.[1] === stack,
          ).length;
          if (count > 0) most.set(stack, Math.max(count, most.get(stack) ?? 0));
        }
        await setTimeout(300);
      }
    })();
    return async () => {
      over = true;
      await watching;
      return most;
    };
  }

  beforeAll(async () => {
    const { scope, identities } = created();
    const canary = identities.get('id-canary');
    // Somebody else's role on every secret, with which orders also reads the secret of billing.
    foreign = await management.assign(canary?.principalId ?? '', scope, secretsUser);

    const toolchain = openInstanceToolchain(instance);
    ({ env } = await pulumiContext(instance, requireServing(instance), toolchain, locateStack(instance)));
    const ofLocal = /^(PULUMI_STACK|AKS_WI_CONFIG_FILE|AKS_WI_PULUMI)$/;
    env = Object.fromEntries(Object.entries(env).filter(([name]) => !ofLocal.test(name)));
    env.AKS_WI_VERIFY_TIMEOUT = '20';
    installPlugins(instance);
    mkdirSync(instance.pulumiBackend, { recursive: true });
    const settings = {
      ...{ location: 'westeurope', resourceGroup: { existing: scope }, retainOnDelete: false },
      vault: { name: 'kv-fleet', publicAccess: true, softDeleteRetentionInDays: 7, purgeProtection: false },
      clusters: ['aks-1', 'aks-2', 'aks-3', 'aks-4'].map((name) => ({
        name,
      })),
      ...{ certManager: { install: false }, serviceOperator: { install: false }, cells },
      applications: [
        {
          ...{ name: 'orders', image, replicas: 1, secrets: ['orders-db'], clusters: ['aks-1'] },
          identity: { existing: { 'aks-1': canary?.id } },
        },
        { name: 'billing', image, replicas: 1, secrets: ['billing-db'] },
      ],
    };
    const text = stringify({ config: configuration('aks-workload-identity', settings) });
    writeFileSync(path.join(clone, 'Pulumi.fleet.yaml'), text);
    await pulumi('stack', 'init');
    for (const secret of ['orders-db', 'billing-db'])
      await pulumi('config', 'set', '--secret', '--path', `secretValues.${secret}`, 'value');
    await wi('fleet', 'move', '--stack', 'fleet', '--yes');

    await management.apply({
      ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'fleet', namespace: 'fleet' } },
      stringData: { PULUMI_CONFIG_PASSPHRASE: env.PULUMI_CONFIG_PASSPHRASE },
    });
    const variables = Object.entries({
      ...Object.fromEntries(Object.entries(env).filter(([name]) => !notOfPods.test(name))),
      ARM_SUBSCRIPTION_ID: env.ARM_SUBSCRIPTION_ID ?? '',
    }).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    const options = [
      '--image',
      'ghcr.io/aks-workload-identity/fleet:0.1.0',
      '--env-secret',
      'fleet',
      ...variables,
    ];
    const rendered = await wi('fleet', 'render', 'jobset', '--stack', 'fleet', '--parallel', '2', ...options);
    jobSet = parseAllDocuments(rendered)[0]?.toJS() as typeof jobSet;
  }, 10 * 60_000);

  it('ends after a first wave whose verification fails, and gets no other commit meanwhile', async () => {
    await management.start(jobSet);
    const pods = '/spec/replicatedJobs/0/template/spec/template';
    const other = management.patch(jobSet.metadata.name, `${pods}/spec/containers/0/image`, 'fleet:other');
    await expect(other).rejects.toThrow('field is immutable');

    await management.ends(jobSet.metadata.name, 'Failed', 300);
    expect(Object.keys(await management.jobs(jobSet.metadata.name)).sort()).toEqual([
      jobOf('environment'),
      jobOf('wave-1'),
    ]);
    const [pod, ...others] = await management.pods(jobOf('wave-1'));
    expect(others).toEqual([]);
    expect(pod).toMatchObject({ code: 3, log: expect.stringMatching(/[1-9]\d* failed/) as string });
    expect(stacks.filter(hasResources)).toEqual(['fleet', 'fleet-canary']);
    const { stdout } = await management.status(clone, env);
    const { jobSet: shown, next } = JSON.parse(stdout) as { jobSet: object; next: string };
    expect(shown).toMatchObject({
      ...{ name: jobSet.metadata.name, state: 'failed' },
      waves: [
        { name: 'environment', cells: 1, succeeded: 1, failed: [] },
        { name: 'wave-1', cells: 1, succeeded: 0, failed: [{ index: 0, stack: 'fleet-canary' }] },
        { name: 'wave-2', cells: 1, active: 0, succeeded: 0, failed: [] },
        { name: 'wave-3', cells: 2, active: 0, succeeded: 0, failed: [] },
      ],
    });
    expect(next).toMatch(/^The rollout failed in wave-1, at fleet-canary\./);
  });

  it('completes in a second rollout after the cause is removed, whatever is killed in it', async () => {
    const name = jobSet.metadata.name;
    let engines = new Map<string, number>();
    await management.removeRole(foreign);
    await management.remove(name);
    const stopWatching = watchEngines();
    try {
      await management.start(jobSet);
      await until('the second wave', () => hasResources('fleet-second') || new Miss(''), 300_000);
      await killed(/toolchain\/jobset-\w+\/jobset/);
      await killed(new RegExp(`kube-apiserver .*--secure-port=${await management.port()}`));
      await until('the third wave', () => hasResources('fleet-third') || new Miss(''), 300_000);
      const pod = await processOf(/pipeline cell --cells fleet-third,fleet-fourth --index 0/);
      // The cluster is there, and its objects are being created.
      const creating = () => stateOf('fleet-third').includes('kubernetes:core/v1:Namespace');
      await until('its objects', () => creating() || new Miss(''));
      process.kill(-pod, 'SIGKILL');
      await management.ends(name, 'Completed', 300);
    } finally {
      engines = await stopWatching();
    }

    expect([...engines]).toEqual(expect.arrayContaining(stacks.map((stack) => [stack, 1])));
    expect([...engines.keys()].slice(0, 3)).toEqual(stacks.slice(0, 3));
    const [first, second, ...others] = await management.pods(jobOf('wave-3'));
    expect(others).toEqual([]);
    expect(first?.code).toBe(137);
    expect(second).toMatchObject({
      code: 0,
      log: expect.stringContaining('A killed pod of this cell left the lock of fleet-third.') as string,
    });
    expect(locks()).toEqual([]);
    const { code, stdout } = await management.status(clone, env);
    expect(code).toBe(0);
    const { stacks: shown, jobSet: completed } = JSON.parse(stdout) as {
      stacks: { stack: string; result: string }[];
      jobSet: object;
    };
    expect(completed).toMatchObject({ state: 'completed', waves: [{}, {}, {}, { succeeded: 2 }] });
    expect(shown.map(({ stack, result }) => [stack, result])).toEqual(
      expect.arrayContaining(stacks.map((stack) => [stack, 'succeeded'])),
    );
  });
}
