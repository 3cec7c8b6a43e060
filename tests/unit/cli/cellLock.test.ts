import { cellCodes, runCell } from '../../../cli/pipeline/cell';
import { whyInUse } from '../../../cli/pipeline/leftLock';
import { streamed } from '../../../cli/pipeline/run';
import { clusterNames, fleetText } from './fleet.fixture';
import { capturedOutput, withProject } from './projectFolder';

// What a run of a cell does about a lock, with an engine that has one until it is cancelled. What these do not prove: that the real
// engine does the same. leftLock.test.ts proves whose lock is removed.

jest.mock('../../../cli/pipeline/leftLock', () => ({ whyInUse: jest.fn() }));
jest.mock('../../../cli/pipeline/run', () => ({
  streamed: jest.fn(),
  headCommit: () => Promise.resolve(''),
}));

async function run(reason: string | undefined) {
  const calls: string[] = [];
  jest.mocked(whyInUse).mockResolvedValue(reason);
  jest.mocked(streamed).mockImplementation((_, [command = ''], __, options) => {
    calls.push(command);
    if (command !== 'up' || calls.includes('cancel')) return Promise.resolve(0);
    options?.onOutput?.(Buffer.from('error: the stack is currently locked by 1 lock(s).'), 'stderr');
    return Promise.resolve(255);
  });
  // The stack of an environment has nothing to verify.
  const text = fleetText(clusterNames(1), { canary: [1, 'aks-001'] });
  return withProject({ 'Pulumi.fleet.yaml': text }, async (folder) => {
    const { written, spies } = capturedOutput();
    const code = await runCell('fleet', folder).finally(() => spies.forEach((spy) => spy.mockRestore()));
    return { code, calls, stderr: written.stderr };
  });
}

it('is left by a killed pod of the cell: it is removed, and the update runs', async () => {
  const { code, calls, stderr } = await run(undefined);
  expect(code).toBe(cellCodes.ok);
  expect(calls).toEqual(['up', 'cancel', 'up']);
  expect(stderr).toContain('A killed pod of this cell left the lock of fleet. It is removed.');
});

it('may be in use: it stays, and the command to remove it is shown', async () => {
  const { code, calls, stderr } = await run('the lock is of laptop, and this is pod');
  expect(code).toBe(cellCodes.locked);
  expect(calls).toEqual(['up']);
  expect(stderr).toMatch(
    /Stack fleet is locked, and the lock is of laptop.*\n.*`pulumi cancel --yes --stack fleet`/,
  );
});
