import { existingStacks } from '../../../cli/fleet/stacks';
import { lastUpdate } from '../../../cli/lastUpdate';
import { clusterNames, fleetText, runFleet } from './fleet.fixture';

jest.mock('../../../cli/fleet/stacks', () => ({
  ...jest.requireActual<object>('../../../cli/fleet/stacks'),
  existingStacks: jest.fn(),
}));
jest.mock('../../../cli/lastUpdate', () => ({
  ...jest.requireActual<object>('../../../cli/lastUpdate'),
  lastUpdate: jest.fn(),
}));

const files = { 'Pulumi.fleet.yaml': fleetText(clusterNames(2), { a: [1, 'aks-001'], b: [2, 'aks-002'] }) };

it('a cell that cannot be read is named, and the others are shown', async () => {
  jest.mocked(existingStacks).mockResolvedValue(['fleet', 'fleet-a', 'fleet-b']);
  jest.mocked(lastUpdate).mockImplementation(({ name }) =>
    name === 'fleet-a'
      ? Promise.reject(new Error('i/o timeout'))
      : Promise.resolve({
          ...{ kind: 'update', result: 'succeeded', commit: 'c'.repeat(40), isDirty: false },
          time: '2026-12-01T00:00:00Z',
        } as Awaited<ReturnType<typeof lastUpdate>>),
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
