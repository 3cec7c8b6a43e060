import { cellCodes, runCell } from '../../../cli/pipeline/cell';
import { reasonInUse } from '../../../cli/pipeline/leftLock';
import { streamed } from '../../../cli/pipeline/run';
import { clusterNames, fleetText, stackFileOfCell } from './fleet.fixture';
import { capturedOutput, withProject } from './projectFolder';

// Runs of a cell with a lock, which the engine has until it is cancelled. What these do not prove: that the real engine does the
// same. leftLock.test.ts proves whose lock is removed.

jest.mock('../../../cli/pipeline/leftLock', () => ({ reasonInUse: jest.fn() }));
jest.mock('../../../cli/existingStacks', () => ({
  existingStacks: () => Promise.resolve(['fleet', 'fleet-canary']),
}));
jest.mock('../../../cli/pipeline/run', () => ({
  streamed: jest.fn(),
  wasStopped: () => false,
  headCommit: () => Promise.resolve(''),
}));

const message = 'error: the stack is currently locked by 1 lock(s).';

/** @param codes exit codes of the engine's commands */
async function run(reason: string | undefined, codes = { up: 255, cancel: 0 }) {
  const calls: string[] = [];
  jest.mocked(reasonInUse).mockResolvedValue(reason);
  jest.mocked(streamed).mockImplementation((_, [command = ''], __, options) => {
    calls.push(command);
    if (command === 'cancel') return Promise.resolve(codes.cancel);
    if (calls.includes('cancel')) return Promise.resolve(0);
    options?.onOutput?.(Buffer.from(message), 'stderr');
    return Promise.resolve(codes.up);
  });
  // The stack of an environment has nothing to verify.
  const text = fleetText(clusterNames(1), { canary: [1, 'aks-001'] });
  const files = { 'Pulumi.fleet.yaml': text, 'Pulumi.fleet-canary.yaml': stackFileOfCell };
  return withProject(files, async (folder) => {
    const { written, spies } = capturedOutput();
    const code = await runCell('fleet', folder).finally(() => spies.forEach((spy) => spy.mockRestore()));
    return { code, calls, stderr: written.stderr };
  });
}

it('is left by a killed pod of the cell: it is removed, and the update runs', async () => {
  const { code, calls, stderr } = await run(undefined);
  expect(code).toBe(cellCodes.done);
  expect(calls).toEqual(['up', 'cancel', 'up']);
  expect(stderr).toContain('A killed pod of this cell left the lock of fleet.\nIt is removed.\n');
});

it('may be in use: it stays, and the command to remove it is shown', async () => {
  const { code, calls, stderr } = await run('the lock belongs to laptop, not to this host pod');
  expect(code).toBe(cellCodes.locked);
  expect(calls).toEqual(['up']);
  expect(stderr).toMatch(
    /Stack fleet is locked, and the lock belongs to laptop.*\n.*`pulumi cancel --yes --stack fleet`/,
  );
});

it('is not reported as removed if the engine cannot remove it', async () => {
  const { code, calls, stderr } = await run(undefined, { up: 255, cancel: 1 });
  expect(code).toBe(cellCodes.locked);
  expect(calls).toEqual(['up', 'cancel']);
  expect(stderr).not.toContain('It is removed.');
});

it('is none if an update that succeeded wrote these words', async () => {
  const { code, calls } = await run(undefined, { up: 0, cancel: 0 });
  expect(code).toBe(cellCodes.done);
  expect(calls).toEqual(['up']);
});
