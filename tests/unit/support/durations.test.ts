import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { longestFirst, readDurations, writeDurations } from '../../support/durations.cjs';

const folder = mkdtempSync(path.join(tmpdir(), 'durations-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const files = [
  { file: 'tests/unit/short.test.ts', size: 10 },
  { file: 'tests/unit/long.test.ts', size: 5000 },
  { file: 'tests/e2e/small.test.ts', size: 20 },
  { file: 'tests/e2e/big.test.ts', size: 2000 },
];
const order = (durations: Map<string, number>) =>
  longestFirst(files, durations).map(({ file }) => path.basename(file, '.test.ts'));

describe('the order of test files', () => {
  it('is that of their durations, the longest first; one that has not run yet comes before', () => {
    const durations = new Map([
      ['tests/unit/short.test.ts', 3],
      ['tests/unit/long.test.ts', 1],
      ['tests/e2e/small.test.ts', 90],
    ]);
    expect(order(durations)).toEqual(['big', 'small', 'short', 'long']);
  });

  it('without durations is whole environments first, then the longest text', () => {
    expect(order(new Map())).toEqual(['big', 'small', 'long', 'short']);
  });
});

describe('durations', () => {
  it('are kept from run to run, of each file the last', () => {
    const file = path.join(folder, 'kept', 'durations.json');
    writeDurations(
      new Map([
        ['a', 1],
        ['b', 2],
      ]),
      file,
    );
    writeDurations(new Map([['b', 3]]), file);
    expect(readDurations(file)).toEqual(
      new Map([
        ['a', 1],
        ['b', 3],
      ]),
    );
  });

  it.each(['', '{', 'null', '[1]', '{"a":"x"}'])('are none in a file with %j', (text) => {
    const file = path.join(folder, 'damaged.json');
    writeFileSync(file, text);
    expect([...readDurations(file).keys()].filter((key) => key === 'a')).toEqual([]);
  });
});
