/**
 * Rollouts as JobSets, in a control plane with the real job controller and the real JobSet, from its vendor's chart. The
 * cells are small processes: it does not prove what the project's command does in a cell.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { V1JobStatus } from '@kubernetes/client-node' with { 'resolution-mode': 'import' };
import { jobSetOf } from '../../cli/fleet/jobset';
import { Miss, until } from '../../localcloud/tests/support/kubernetes/client';
import { helm } from '../../localcloud/tests/support/kubernetes/helm';
import { charts, startTimeout } from '../../localcloud/tests/support/kubernetes/runtime';
import { SharedCluster } from '../../localcloud/tests/support/kubernetes/sharedCluster';

jest.setTimeout(180_000);

const image = 'ghcr.io/aks-workload-identity/fleet';
const program = path.resolve(__dirname, 'support/fleetCell.mjs');
const namespace = 'fleet';
const group = { group: 'jobset.x-k8s.io', version: 'v1alpha2', namespace, plural: 'jobsets' };
const commit = '4f2a9c1d8e7b6a5f4e3d2c1b0a9f8e7d6c5b4a39';

type Waves = Parameters<typeof jobSetOf>[0]['waves'];
interface Run {
  readonly event: string;
  readonly cell: string;
  readonly index: string;
  readonly commit: string;
  readonly environment: string;
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'fleet-test-'));
const cluster = new SharedCluster({
  images: { [image]: { command: [process.execPath, program], workingFolder: folder } },
});

beforeAll(async () => {
  await cluster.start();
  const { jobset } = await charts();
  await helm(
    ...([cluster.test, cluster.spec] as const),
    ...['install', 'jobset', jobset, '--namespace', 'jobset-system', '--create-namespace', '--wait'],
  );
  await cluster.namespace(namespace);
  await cluster.client.core.createNamespacedServiceAccount({
    namespace,
    body: { metadata: { name: 'fleet' } },
  });
}, startTimeout);
afterAll(async () => {
  await cluster.dispose();
  rmSync(folder, { recursive: true });
});

const custom = async () => {
  const { CustomObjectsApi } = await import('@kubernetes/client-node');
  return cluster.client.config.makeApiClient(CustomObjectsApi);
};

/** Runs of cells of a JobSet, in the order of their events. */
const runsOf = (name: string): Run[] => {
  const file = path.join(folder, name);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Run);
};
const eventsOf = (name: string): string[] => runsOf(name).map(({ cell, event }) => `${cell} ${event}`);

async function rollOut(name: string, waves: Waves): Promise<void> {
  const body = jobSetOf({
    ...{ name, namespace, environment: 'prod', commit, waves, image: `${image}:0.1.0` },
    ...{ serviceAccount: 'fleet', command: ['aks-wi', 'pipeline', 'cell'] },
    env: { RECORD: name },
  });
  await (await custom()).createNamespacedCustomObject({ ...group, body });
}

/** Returns `Completed` or `Failed`. */
async function stateOf(name: string): Promise<string> {
  const api = await custom();
  return until(`the end of ${name}`, async () => {
    const { status } = (await api.getNamespacedCustomObject({ ...group, name })) as {
      status?: { terminalState?: string };
    };
    return status?.terminalState ?? new Miss(JSON.stringify({ status, events: eventsOf(name) }));
  });
}

async function jobsOf(name: string): Promise<Record<string, V1JobStatus | undefined>> {
  const { items } = await cluster.client.batch.listNamespacedJob({
    namespace,
    labelSelector: `jobset.sigs.k8s.io/jobset-name=${name}`,
  });
  return Object.fromEntries(items.map(({ metadata, status }) => [metadata?.name ?? '', status]));
}

it('updates wave after wave, in each as many cells at once as it says', async () => {
  await rollOut('whole', [
    { name: 'canary', cells: ['ok-1'], parallelism: 1 },
    { name: 'early', cells: ['ok-2', 'ok-3'], parallelism: 1 },
    { name: 'rest', cells: ['ok-4', 'ok-5'], parallelism: 2 },
  ]);

  expect(await stateOf('whole')).toBe('Completed');
  const events = eventsOf('whole');
  expect(events.slice(0, 6)).toEqual(
    ['ok-1', 'ok-2', 'ok-3'].flatMap((cell) => [`${cell} started`, `${cell} ended with 0`]),
  );
  expect(events.slice(6).sort()).toEqual(
    ['ok-4', 'ok-5'].flatMap((cell) => [`${cell} ended with 0`, `${cell} started`]),
  );
  expect(runsOf('whole').at(-1)).toMatchObject({ commit, environment: 'prod' });
  expect(runsOf('whole').map(({ cell, index }) => `${cell} ${index}`)).toEqual(
    expect.arrayContaining(['ok-1 0', 'ok-2 0', 'ok-3 1', 'ok-4 0', 'ok-5 1']),
  );
});

it('ends at a failed cell after its wave: exit code 3 is final, another one is tried again', async () => {
  await rollOut('failed', [
    { name: 'canary', cells: ['ok-1'], parallelism: 1 },
    { name: 'early', cells: ['ok-2', 'final-3', 'flaky-4'], parallelism: 3 },
    { name: 'rest', cells: ['ok-5'], parallelism: 1 },
  ]);

  expect(await stateOf('failed')).toBe('Failed');
  const jobs = await jobsOf('failed');
  expect(Object.keys(jobs).sort()).toEqual(['failed-canary-0', 'failed-early-0']);
  expect(jobs['failed-early-0']).toMatchObject({ completedIndexes: '0,2', failedIndexes: '1' });
  expect(eventsOf('failed').sort()).toEqual(
    [
      ...['ok-1 started', 'ok-1 ended with 0', 'ok-2 started', 'ok-2 ended with 0'],
      ...['final-3 started', 'final-3 ended with 3'],
      ...['flaky-4 started', 'flaky-4 ended with 1', 'flaky-4 started', 'flaky-4 ended with 0'],
    ].sort(),
  );
});

it('ends running cells when it is suspended, which is no failure, and continues with them', async () => {
  await rollOut('suspended', [
    { name: 'canary', cells: ['ok-1', 'endless-2'], parallelism: 2 },
    { name: 'rest', cells: ['ok-3'], parallelism: 1 },
  ]);
  const api = await custom();
  const suspend = (value: boolean) =>
    api.patchNamespacedCustomObject({
      ...{ ...group, name: 'suspended' },
      body: [{ op: 'add', path: '/spec/suspend', value }],
    });
  const seen = (event: string, times: number) =>
    until(`${event} (${times})`, () => {
      const events = eventsOf('suspended');
      return events.filter((one) => one === event).length === times || new Miss(events.join());
    });
  await until('the completion of ok-1', async () => {
    const { 'suspended-canary-0': job } = await jobsOf('suspended');
    return job?.completedIndexes === '0' || new Miss(JSON.stringify(job));
  });
  // A cell that failed as often would not be updated a third time.
  for (const times of [1, 2]) {
    await seen('endless-2 started', times);
    await suspend(true);
    await seen('endless-2 ended with 1', times);
    await suspend(false);
  }

  expect(await stateOf('suspended')).toBe('Completed');
  expect(eventsOf('suspended').filter((event) => !event.startsWith('endless'))).toEqual([
    ...['ok-1 started', 'ok-1 ended with 0', 'ok-3 started', 'ok-3 ended with 0'],
  ]);
  expect(eventsOf('suspended')).toContain('endless-2 ended with 0');
});
