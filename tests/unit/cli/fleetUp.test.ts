import { existingStacks } from '../../../cli/existingStacks';
import { lastUpdate } from '../../../cli/lastUpdate';
import { headCommit, streamed } from '../../../cli/pipeline/run';
import { clusterNames, fleetText, runFleet, stackFileOfCell } from './fleet.fixture';

jest.mock('../../../cli/existingStacks', () => ({ existingStacks: jest.fn() }));
jest.mock('../../../cli/lastUpdate', () => ({ lastUpdate: jest.fn() }));
jest.mock('../../../cli/pipeline/run', () => ({
  ...jest.requireActual<object>('../../../cli/pipeline/run'),
  headCommit: jest.fn(),
  streamed: jest.fn(),
}));

const ofCells = ['a', 'b', 'c', 'd'].map((name): [string, string] => [
  `Pulumi.fleet-${name}.yaml`,
  stackFileOfCell,
]);
const files: Record<string, string> = {
  ...Object.fromEntries(ofCells),
  'Pulumi.fleet.yaml': fleetText(clusterNames(4), {
    a: [1, 'aks-001'],
    b: [2, 'aks-002'],
    c: [2, 'aks-003'],
    d: [3, 'aks-004'],
  }),
};

/** Sets the time of the last update of the environment's stack. */
const updateAt = (time: string) =>
  jest
    .mocked(lastUpdate)
    .mockResolvedValue({ kind: 'update', result: 'succeeded', time, commit: 'first', isDirty: false });

/** Runs `fleet up` one stack at a time. Returns its output, its exit code, and the stacks that began. */
async function up(
  parallel: number,
  run: (stack: string) => number,
  project = files,
  stacks = ['fleet', 'fleet-a', 'fleet-b', 'fleet-c', 'fleet-d'],
) {
  const begun: string[] = [];
  updateAt('10:00');
  jest.mocked(existingStacks).mockResolvedValue(stacks);
  jest.mocked(streamed).mockImplementation((_file, args) => {
    const stack = args.at(-1) ?? '';
    begun.push(stack);
    return Promise.resolve(run(stack));
  });
  const result = await runFleet(project, [
    ...['up', '--stack', 'fleet', '--yes', '--parallel', String(parallel)],
  ]);
  return { ...result, begun };
}

describe('fleet up', () => {
  it('begins no further stack after another commit is checked out, not even of the same wave', async () => {
    jest.mocked(headCommit).mockResolvedValue('first');
    const { stderr, code, begun } = await up(1, (stack) => {
      if (stack === 'fleet-b') jest.mocked(headCommit).mockResolvedValue('second');
      return 0;
    });

    expect(begun).toEqual(['fleet', 'fleet-a', 'fleet-b']);
    expect(stderr).toContain(
      'error: Another commit was checked out during the rollout, before fleet-c.\n  → Check out first again, or start over: `npx aks-wi fleet up --stack fleet`.\n',
    );
    expect(code).toBe(1);
  });

  it('refuses a cell without a stack file before anything begins', async () => {
    jest.mocked(headCommit).mockResolvedValue('first');
    const { 'Pulumi.fleet-d.yaml': _, ...others } = files;
    const { stderr, code, begun } = await up(1, () => 0, others);

    expect(begun).toEqual([]);
    expect(stderr).toContain('There is no stack file of fleet-d.');
    expect(code).toBe(1);
  });

  it('fails if another rollout begins before it ends', async () => {
    jest.mocked(headCommit).mockResolvedValue('first');
    const { stderr, code } = await up(1, (stack) => {
      if (stack === 'fleet-d') updateAt('11:00');
      return 0;
    });

    expect(stderr).toContain('error: Another rollout of fleet began');
    expect(stderr).not.toContain('are deployed and verified');
    expect(code).toBe(1);
  });

  it('refuses a cell without a stack before anything begins', async () => {
    jest.mocked(headCommit).mockResolvedValue('first');
    const { stderr, code, begun } = await up(1, () => 0, files, ['fleet', 'fleet-a', 'fleet-c', 'fleet-d']);

    expect(begun).toEqual([]);
    expect(stderr).toContain('There is no stack fleet-b.');
    expect(code).toBe(1);
  });

  it('begins no later wave after a cell that is not verified', async () => {
    jest.mocked(headCommit).mockResolvedValue('first');
    const { stderr, code, begun } = await up(2, (stack) => (stack === 'fleet-b' ? 3 : 0));

    expect(begun).toEqual(['fleet', 'fleet-a', 'fleet-b', 'fleet-c']);
    expect(stderr).toMatch(/fleet-b: verification failed\. See .*\n[^]*fleet-d: not started\./);
    expect(code).toBe(1);
  });
});
