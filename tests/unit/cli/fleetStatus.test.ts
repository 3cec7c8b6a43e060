import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { readJobSet, type JobSetStatus } from '../../../cli/fleet/jobSetStatus';
import { existingStacks } from '../../../cli/existingStacks';
import { lastUpdate } from '../../../cli/lastUpdate';
import { clusterNames, fleetText, runFleet, stackFileOfCell } from './fleet.fixture';

jest.mock('../../../cli/existingStacks', () => ({ existingStacks: jest.fn() }));
jest.mock('../../../cli/fleet/jobSetStatus', () => ({
  ...jest.requireActual<object>('../../../cli/fleet/jobSetStatus'),
  readJobSet: jest.fn(),
}));
jest.mock('../../../cli/lastUpdate', () => ({
  ...jest.requireActual<object>('../../../cli/lastUpdate'),
  lastUpdate: jest.fn(),
}));

const files = { 'Pulumi.fleet.yaml': fleetText(clusterNames(2), { a: [1, 'aks-001'], b: [2, 'aks-002'] }) };

type Update = Awaited<ReturnType<typeof lastUpdate>>;

const updated = (isDirty = false) =>
  ({
    ...{ kind: 'update', result: 'succeeded', commit: 'c'.repeat(40), isDirty },
    time: '2026-12-01T00:00:00Z',
  }) as Update;
const all = ['fleet', 'fleet-a', 'fleet-b'];

it('a cell that cannot be read is named, and the others are shown', async () => {
  jest.mocked(existingStacks).mockResolvedValue(all);
  jest
    .mocked(lastUpdate)
    .mockImplementation(({ name }) =>
      name === 'fleet-a' ? Promise.reject(new Error('i/o timeout')) : Promise.resolve(updated()),
    );
  const { stdout, stderr, code } = await runFleet(files, ['status', '--stack', 'fleet', '--json']);

  const { stacks, next } = JSON.parse(stdout) as {
    stacks: { stack: string; result: string }[];
    next: string;
  };
  expect(stacks.map(({ stack, result }) => [stack, result])).toEqual([
    ['fleet', 'succeeded'],
    ['fleet-a', 'unreadable'],
    ['fleet-b', 'succeeded'],
  ]);
  expect(next).toBe('fleet-a cannot be read: see the warning.');
  expect(stderr).toBe('warning: fleet-a cannot be read: i/o timeout\n');
  expect(code).toBe(1);
});

it('an update that failed is behind, also at the commit of the environment', async () => {
  jest.mocked(existingStacks).mockResolvedValue(all);
  jest
    .mocked(lastUpdate)
    .mockImplementation(({ name }) =>
      Promise.resolve({ ...updated(), result: name === 'fleet-b' ? 'failed' : 'succeeded' } as Update),
    );
  const { stdout, code } = await runFleet(files, ['status', '--stack', 'fleet']);

  expect(stdout).toContain("1 of 3 stacks are not at the environment's commit");
  expect(code).toBe(1);
});

it('names a stack that is no cell any more', async () => {
  jest.mocked(existingStacks).mockResolvedValue([...all, 'fleet-old']);
  jest.mocked(lastUpdate).mockResolvedValue(updated());
  const old = { 'Pulumi.fleet-old.yaml': stackFileOfCell, 'Pulumi.fleet-gone.yaml': stackFileOfCell };
  const { stderr } = await runFleet({ ...files, ...old }, ['status', '--stack', 'fleet']);

  expect(stderr).toBe(
    'note: fleet-old is no longer a cell of fleet. Run `npx aks-wi fleet move --stack fleet`, which moves what other stacks deploy now, and then `pulumi stack rm fleet-old`. If that refuses, the rest of its resources is deployed nowhere: destroy it.\n',
  );
});

describe('changes that are not committed', () => {
  beforeEach(() => jest.mocked(existingStacks).mockResolvedValue(all));

  it('are named with the stacks that were deployed with some', async () => {
    jest.mocked(lastUpdate).mockImplementation(({ name }) => Promise.resolve(updated(name === 'fleet-a')));
    const { stdout, stderr, code } = await runFleet(files, ['status', '--stack', 'fleet']);

    expect(stdout).toContain(
      'Every stack is at the same commit. Deployed with changes that are not committed: fleet-a.\n',
    );
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  });

  it('are named with the stack files that have some now', async () => {
    jest.mocked(lastUpdate).mockResolvedValue(updated());
    jest.mocked(existingStacks).mockImplementation((folder) => {
      const git = (...args: string[]) =>
        execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
          cwd: folder,
        });
      git('init', '--quiet');
      git('add', 'Pulumi.fleet.yaml');
      git('commit', '--quiet', '--message', 'first');
      writeFileSync(path.join(folder, 'Pulumi.fleet.yaml'), `${files['Pulumi.fleet.yaml']}# changed\n`);
      return Promise.resolve(all);
    });
    const project = { ...files, 'Pulumi.fleet-a.yaml': stackFileOfCell };
    const { stdout, stderr } = await runFleet(project, ['status', '--stack', 'fleet', '--json']);

    expect(stderr).toBe('note: Not committed: Pulumi.fleet.yaml, Pulumi.fleet-a.yaml.\n');
    expect(JSON.parse(stdout)).toMatchObject({
      uncommitted: ['Pulumi.fleet.yaml', 'Pulumi.fleet-a.yaml'],
    });
  });
});

describe('the JobSet of the environment', () => {
  const args = ['status', '--stack', 'fleet', '--jobset-context', 'management'];
  const jobSet: JobSetStatus = {
    ...{ name: 'rollout-fleet-1', namespace: 'fleet', commit: 'c'.repeat(40), state: 'running' },
    waves: [{ name: 'wave-1', cells: 1, active: 1, succeeded: 0, failed: [] }],
  };
  beforeEach(() => {
    jest.mocked(existingStacks).mockResolvedValue(all);
    jest.mocked(lastUpdate).mockResolvedValue(updated());
  });

  it('is read from the context, and says what to do next', async () => {
    jest.mocked(readJobSet).mockResolvedValue(jobSet);
    const { stdout, code } = await runFleet(files, args);

    expect(jest.mocked(readJobSet).mock.calls).toEqual([['fleet', 'fleet', 'management']]);
    expect(stdout).toMatch(
      /^JobSet rollout-fleet-1: running, commit ccccccccc\n[^]*wave-1 [^]*Next: Wait until the rollout ends\.\n$/,
    );
    expect(code).toBe(1);
  });

  it('leaves what is next to the stacks if it is complete, or if there is none', async () => {
    jest.mocked(readJobSet).mockResolvedValueOnce({ ...jobSet, state: 'completed' });
    expect(await runFleet(files, [...args, '--json'])).toMatchObject({ code: 0 });
    jest.mocked(readJobSet).mockResolvedValueOnce(undefined);
    expect(await runFleet(files, args)).toMatchObject({
      stderr: 'The namespace fleet of management has no JobSet of fleet.\n',
      code: 0,
    });
  });
});
