import { bases } from './bases';
import type { Change, Expected, Kind } from './change';
import { loudKinds } from './change';
import type { Row } from './compare';
import { compare } from './compare';
import { changes } from './table';

/**
 * A table of changes that is made from what Azure, Entra, Kubernetes and HyperShift document, and from what the settings
 * offer, not from how the comparison works. It does not prove what the update then does.
 */

const isText = (text: string, wanted: string | RegExp | undefined): boolean => {
  if (wanted === undefined) return true;
  if (wanted instanceof RegExp) return wanted.test(text);
  // Not one/orders/orders in one/orders/orders-job.
  const escaped = wanted.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\w/-])${escaped}(?![\w/-])`).test(text);
};

const isOf = ({ kind }: Expected, of: string): boolean => [kind].flat().includes(of as Kind);

const fits = (expected: Expected, row: Row): boolean =>
  isOf(expected, row.kind) &&
  isText(row.who, expected.who) &&
  isText(row.what, expected.what) &&
  isText(row.why, expected.why) &&
  isText(`${row.who}\n${row.what}\n${row.why}`, expected.about);

/** The row for each of its subjects: one that is not expected must not hide behind one that is. */
const bySubject = (row: Row): readonly Row[] =>
  row.kind === 'not judged' ? [row] : row.who.split(', ').map((who) => ({ ...row, who }));

const shown = (rows: readonly Row[]) =>
  rows.map(({ kind, who, what, why }) => `${kind}: ${who}: ${what}: ${why}`);

beforeAll(() => {
  const real = [
    'hrtime',
    'nextTick',
    'performance',
    'queueMicrotask',
    'setImmediate',
    'clearImmediate',
  ] as const;
  const timers = ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const;
  jest.useFakeTimers({ now: new Date('2026-12-15T00:00:00Z'), doNotFake: [...real, ...timers] });
});

afterAll(() => {
  jest.useRealTimers();
});

describe('a comparison of two stack files tells', () => {
  it.each(changes.map((one) => [one.title, one] as const))('%s', async (_title, one: Change) => {
    const rows = await compare(one.before, one.change(one.before), one.environment);

    const missing = one.told.filter(
      (expected) => expected.optional !== true && !rows.some((row) => fits(expected, row)),
    );
    const unexpected = rows
      .filter(({ kind }) => loudKinds.includes(kind as Kind))
      .flatMap(bySubject)
      .filter((row) => !one.told.some((expected) => fits(expected, row)));
    expect({
      told: shown(rows),
      missing,
      unexpected: one.silentOtherwise ? shown(unexpected) : [],
    }).toEqual({ told: shown(rows), missing: [], unexpected: [] });
  });

  it.each(Object.entries(bases))('nothing where %s is as before', async (_name, settings) => {
    expect(await compare(settings, structuredClone(settings), 'test')).toEqual([]);
  });
});
