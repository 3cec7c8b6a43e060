import { lastUpdate } from '../../../cli/lastUpdate';
import { cellCodes, runCell } from '../../../cli/pipeline/cell';
import { streamed, wasStopped } from '../../../cli/pipeline/run';
import { clusterNames, fleetText, stackFileOfCell } from './fleet.fixture';
import { capturedOutput, withProject } from './projectFolder';

// What these do not prove: that the engine and `verify` write these texts; the end-to-end tests of fleets do.

jest.mock('../../../cli/existingStacks', () => ({
  existingStacks: () => Promise.resolve(['fleet', 'fleet-canary']),
}));
jest.mock('../../../cli/lastUpdate', () => ({ lastUpdate: jest.fn() }));
jest.mock('../../../cli/pipeline/run', () => ({
  streamed: jest.fn(),
  wasStopped: jest.fn(),
  headCommit: () => Promise.resolve('first'),
}));

/** Sets the commit of the last update of the environment. */
const deployedAt = (commit: string | undefined) =>
  jest
    .mocked(lastUpdate)
    .mockResolvedValue({ kind: 'update', result: 'succeeded', time: '10:00', commit, isDirty: false });

beforeEach(() => deployedAt('first'));

/** Runs a cell whose update and whose verification end with these codes and texts. */
async function run(update: [number, string], verification: [number, string] = [0, ''], stopped = false) {
  jest.mocked(wasStopped).mockReturnValue(stopped);
  jest.mocked(streamed).mockImplementation((_, [command = ''], __, options) => {
    const [code, text] = command === 'up' ? update : verification;
    options?.onOutput?.(Buffer.from(text), 'stderr');
    return Promise.resolve(code);
  });
  const text = 'config: { aks-workload-identity:cellOf: fleet }\n';
  return withProject({ 'Pulumi.fleet-a.yaml': text }, async (folder) => {
    const { spies } = capturedOutput();
    return runCell('fleet-a', folder).finally(() => spies.forEach((spy) => spy.mockRestore()));
  });
}

const updated: [number, string] = [0, ''];

it.each([
  ['a verified update', updated, [0, '9 checks passed, 0 failed'], cellCodes.done],
  ['failed checks', updated, [1, '8 checks passed, 1 failed'], cellCodes.notVerified],
  ['a verification that cannot be done', updated, [1, 'error: i/o timeout'], cellCodes.failed],
  ['a failed update', [255, 'error: 500'], [0, ''], cellCodes.failed],
  ['settings that are refused', [255, 'error: nothing was changed.'], [0, ''], cellCodes.refused],
  [
    'an environment that cannot be read now',
    [255, 'The outputs of fleet, the environment of this cell, cannot be read: i/o timeout.'],
    [0, ''],
    cellCodes.failed,
  ],
  [
    'an environment that is older',
    [255, 'The stack fleet, the environment of this cell, was deployed from older settings: it lacks a.'],
    [0, ''],
    cellCodes.refused,
  ],
  [
    'a policy that refuses the preview',
    [255, 'Previewing update (fleet-a):\n    - [mandatory]  no-public-vault'],
    [0, ''],
    cellCodes.refused,
  ],
  [
    'a policy that refuses the update, when something may have been changed',
    [255, 'Previewing update (fleet-a):\nUpdating (fleet-a):\n    - [mandatory]  no-public-vault'],
    [0, ''],
    cellCodes.failed,
  ],
  ['a stack that is not there', [255, "error: no stack named 'fleet-a' found"], [0, ''], cellCodes.refused],
] as [string, [number, string], [number, string], number][])(
  'the exit code of a cell says what became of it: %s',
  async (_, update, verification, code) => {
    expect(await run(update, verification)).toBe(code);
  },
);

it('an interrupted verification is tried again', async () => {
  expect(await run(updated, [1, '8 checks passed, 1 failed'], true)).toBe(cellCodes.failed);
});

it('a cell is refused before its update if the rollout is of another commit', async () => {
  jest.mocked(streamed).mockReset();
  const variable = jest.replaceProperty(process, 'env', { ...process.env, AKS_WI_COMMIT: 'another' });
  expect(await run(updated).finally(() => variable.restore())).toBe(cellCodes.refused);
  expect(streamed).not.toHaveBeenCalled();
});

it('a cell without a stack file is refused', () =>
  withProject({ 'Pulumi.fleet.yaml': '' }, async (folder) => {
    const { written, spies } = capturedOutput();
    const code = await runCell('fleet-a', folder).finally(() => spies.forEach((spy) => spy.mockRestore()));
    expect({ code, ...written }).toMatchObject({
      code: cellCodes.refused,
      stderr: expect.stringContaining('error: ') as unknown,
    });
  }));

it('a cell is refused before its update if its environment was deployed at another commit', async () => {
  jest.mocked(streamed).mockReset();
  deployedAt('second');
  expect(await run(updated)).toBe(cellCodes.refused);
  expect(streamed).not.toHaveBeenCalled();
});

it.each([
  ['at an unknown commit', () => deployedAt(undefined)],
  [
    'in no stack that can be read',
    () => jest.mocked(lastUpdate).mockRejectedValue(new Error('no stack named')),
  ],
])('a cell is updated if its environment is deployed %s: the program checks what it has', async (_, set) => {
  set();
  expect(await run(updated)).toBe(cellCodes.done);
});

it('a cell is not updated while the history of its environment cannot be read', async () => {
  jest.mocked(streamed).mockReset();
  jest.mocked(lastUpdate).mockRejectedValue(new Error('i/o timeout'));
  await expect(run(updated)).rejects.toThrow('i/o timeout');
  expect(streamed).not.toHaveBeenCalled();
});

it.each([
  ['the stack file of a cell', ['canary'], {}, 'There is no stack file of fleet-canary.'],
  [
    'the stack of a cell',
    ['canary', 'late'],
    { 'Pulumi.fleet-canary.yaml': stackFileOfCell, 'Pulumi.fleet-late.yaml': stackFileOfCell },
    'There is no stack fleet-late.',
  ],
])(
  'the stack of an environment is refused before its update without %s',
  async (_, names, files, message) => {
    jest.mocked(streamed).mockReset();
    const cells = Object.fromEntries(
      names.map((name, index): [string, [number, string]] => [name, [1, clusterNames(2)[index] ?? '']]),
    );
    const text = fleetText(clusterNames(names.length), cells);
    await withProject({ 'Pulumi.fleet.yaml': text, ...files }, async (folder) => {
      const { written, spies } = capturedOutput();
      const code = await runCell('fleet', folder).finally(() => spies.forEach((spy) => spy.mockRestore()));
      expect({ code, ...written }).toMatchObject({
        code: cellCodes.refused,
        stderr: expect.stringContaining(`error: ${message}\n  → `) as unknown,
      });
    });
    expect(streamed).not.toHaveBeenCalled();
  },
);
