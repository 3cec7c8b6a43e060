import { ofEachCell } from '../../../cli/cells';

const before = process.exitCode;
afterEach(() => {
  process.exitCode = before;
  jest.restoreAllMocks();
});

it('a cell that cannot be read is named once, and makes each result incomplete and the exit code 1', async () => {
  const notes = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const read = (stacks: readonly string[]) =>
    ofEachCell(
      { name: 'dev', cwd: '.' },
      stacks.map((stack) => ({ stack })),
      ({ name }) => (name === 'dev-b' ? Promise.reject(new Error('no answer')) : Promise.resolve(name)),
    );

  expect(await read(['dev-a'])).toEqual({ results: ['dev-a'], isIncomplete: false });
  expect(process.exitCode).toBe(before);
  for (const stacks of [
    ['dev-a', 'dev-b'],
    ['dev-b', 'dev-a'],
  ])
    expect(await read(stacks)).toEqual({ results: ['dev-a'], isIncomplete: true });
  expect(notes.mock.calls.map(([text]) => text)).toEqual([
    'warning: the cell dev-b cannot be read and is left out: no answer\n',
  ]);
  expect(process.exitCode).toBe(1);
});
