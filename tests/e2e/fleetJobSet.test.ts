/**
 * Rollouts as JobSets, in a cluster of the local cloud with the real job controller and the real JobSet, from its vendor's
 * chart.
 */
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { jobSetOf } from '../../cli/fleet/jobset';
import { locateInstance } from '../../localcloud/daemon/instance';
import { Miss, until } from '../../localcloud/tests/support/kubernetes/client';
import { projectRoot } from '../support/command';
import { succeedIn } from '../support/installed';
import { localCloud } from '../support/localCloud';
import { fleetRolloutSuite } from './fleetRollout.suite';
import { ManagementCluster } from './support/managementCluster';

jest.setTimeout(10 * 60_000);

const image = 'ghcr.io/example/cells';
const namespace = 'fleet';
const commit = '4f2a9c1d8e7b6a5f4e3d2c1b0a9f8e7d6c5b4a39';

type Waves = Parameters<typeof jobSetOf>[0]['waves'];
interface Run {
  readonly event: string;
  readonly cell: string;
  readonly index: string;
  readonly commit: string;
  readonly environment: string;
}

const cloud = localCloud('fleet-jobset');
const instance = locateInstance(projectRoot, { ...process.env, AKS_WI_STATE: cloud.state });
const clone = path.join(cloud.state, 'clone');
const management = new ManagementCluster(cloud);
let created: Awaited<ReturnType<ManagementCluster['create']>>;

// The local cloud is that of the clone, so that the image of the fleet runs the clone's command.
beforeAll(async () => {
  await succeedIn(cloud.state, 'git', ['clone', '--quiet', projectRoot, clone]);
  symlinkSync(path.join(projectRoot, 'node_modules'), path.join(clone, 'node_modules'));
  const images = path.join(cloud.state, 'images.yaml');
  const command = [process.execPath, path.join(__dirname, 'support/fleetCell.mjs')];
  writeFileSync(images, JSON.stringify({ [image]: { command } }));
  const env = { AKS_WI_STATE: cloud.state, AKS_WI_IMAGES: images };
  await succeedIn(clone, process.execPath, ['cli/bin.mjs', 'cloud', 'start'], env);
  created = await management.create('rg-fleet', 'id-canary');
}, 10 * 60_000);
afterAll(() => cloud.clean());

/** Runs of cells of a JobSet, in the order of their events. */
const runsOf = (name: string): Run[] => {
  const file = path.join(cloud.state, name);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Run);
};
const eventsOf = (name: string): string[] => runsOf(name).map(({ cell, event }) => `${cell} ${event}`);

const rollOut = (name: string, waves: Waves) =>
  management.start(
    jobSetOf({
      ...{ name, namespace, environment: 'prod', commit, waves, image: `${image}:0.1.0` },
      ...{ serviceAccount: 'fleet', command: ['aks-wi', 'pipeline', 'cell'] },
      env: { RECORD: path.join(cloud.state, name) },
    }),
  );

describe('a rollout of cells that are small processes', () => {
  it('updates wave after wave, in each as many cells at once as it says', async () => {
    await rollOut('whole', [
      { name: 'canary', cells: ['ok-1'], parallelism: 1 },
      { name: 'early', cells: ['ok-2', 'ok-3'], parallelism: 1 },
      { name: 'rest', cells: ['ok-4', 'ok-5'], parallelism: 2 },
    ]);

    await management.ends('whole', 'Completed');
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

    await management.ends('failed', 'Failed');
    const jobs = await management.jobs('failed');
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
    const suspend = (value: boolean) => management.suspend('suspended', value);
    const seen = (event: string, times: number) =>
      until(`${event} (${times})`, () => {
        const events = eventsOf('suspended');
        return events.filter((happened) => happened === event).length === times || new Miss(events.join());
      });
    await until('the completion of ok-1', async () => {
      const { 'suspended-canary-0': job } = await management.jobs('suspended');
      return job?.completedIndexes === '0' || new Miss(JSON.stringify(job));
    });
    // A cell that failed as often would not be updated a third time.
    for (const times of [1, 2]) {
      await seen('endless-2 started', times);
      await suspend(true);
      await seen('endless-2 ended with 1', times);
      await suspend(false);
    }

    await management.ends('suspended', 'Completed');
    expect(eventsOf('suspended').filter((event) => !event.startsWith('endless'))).toEqual([
      ...['ok-1 started', 'ok-1 ended with 0', 'ok-3 started', 'ok-3 ended with 0'],
    ]);
    expect(eventsOf('suspended')).toContain('endless-2 ended with 0');
  });
});

describe('a rollout of the project', () => fleetRolloutSuite(management, instance, clone, () => created));
