import { bases } from './bases';
import type { Change, Expected, Kind } from './change';
import { loudKinds } from './change';
import type { Row } from './compare';
import { compareAll } from './compare';
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

const reported = new Map<string, readonly Row[]>();

// One process runs all stack files: some five hundred, a tenth of a second each.
beforeAll(() => {
  const unchanged = Object.entries(bases).map(([title, before]) => ({ title, before, after: before }));
  const pairs = [
    ...changes.map((example) => ({ ...example, after: example.change(example.before) })),
    ...unchanged.map((change) => ({ ...change, environment: 'test' })),
  ];
  const rows = compareAll(pairs, '2026-12-15T00:00:00Z');
  for (const [index, { title }] of pairs.entries()) reported.set(title, rows[index] ?? []);
});

describe('a comparison of two stack files reports', () => {
  it.each(changes.map((change) => [change.title, change] as const))('%s', (title, change: Change) => {
    const rows = reported.get(title) ?? [];

    const missing = change.expected.filter(
      (expected) => expected.optional !== true && !rows.some((row) => fits(expected, row)),
    );
    const unexpected = rows
      .filter(({ kind }) => loudKinds.includes(kind as Kind))
      .flatMap(bySubject)
      .filter((row) => !change.expected.some((expected) => fits(expected, row)));
    expect({
      reported: shown(rows),
      missing,
      unexpected: change.silentOtherwise ? shown(unexpected) : [],
    }).toEqual({ reported: shown(rows), missing: [], unexpected: [] });
  });

  it.each(Object.keys(bases))('nothing where %s is as before', (name) => {
    expect(reported.get(name)).toEqual([]);
  });
});
