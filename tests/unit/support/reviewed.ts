import { readFileSync, writeFileSync } from 'node:fs';
import { isRecord } from '../../../components/resource/fields';
import { casesIn, indented, textOfCases } from '../goldens/cases';
import { inline } from '../goldens/compact';
import { update } from '../goldens/files';

// A text of what the cases of a test show, beside it. The script `goldens` of package.json writes it anew: read the
// difference.

/** Lines of a value: an item or an entry each, and the lines of a text, of which the last is empty if a newline ends it. */
function linesOf(value: unknown): string[] {
  if (typeof value === 'string') return value.split('\n');
  if (Array.isArray(value))
    return value.length === 0 ? ['nothing'] : value.flatMap((element) => item(element));
  if (!isRecord(value)) return [inline(value)];
  return Object.entries(value).flatMap(([name, field]) => {
    const [first = '', ...others] = linesOf(field);
    return others.length === 0 ? `${name}: ${first}` : [`${name}:`, ...[first, ...others].map(indented)];
  });
}
const item = (value: unknown) => (typeof value === 'string' ? linesOf(value) : [inline(value)]);

/** A function that registers a test: the case shows what the text beside the test file has under its title. */
export function reviewed(testFile: string) {
  const file = testFile.replace(/\.test\.ts$/, '.txt');
  const reviewedCases = casesIn(update ? '' : readFileSync(file, 'utf8'));
  const titles: string[] = [];
  const found = new Map<string, string[]>();

  it('has a reviewed text of its cases, in their order, and of nothing else', () => {
    expect(new Set(titles).size).toBe(titles.length);
    if (!update) expect([...reviewedCases.keys()]).toEqual(titles);
  });

  // Tables are as wide whatever terminal the tests run in.
  const { columns } = process.stdout;
  beforeAll(() => void (process.stdout.columns = 80));

  afterAll(() => {
    process.stdout.columns = columns;
    if (!update) return;
    writeFileSync(file, textOfCases(titles.map((title) => [title, found.get(title) ?? []])));
  });

  return (title: string, show: () => unknown) => {
    titles.push(title);
    it(title, async () => {
      const lines = linesOf(await show()).map((line) => line.trimEnd());
      found.set(title, lines);
      if (!update) expect(lines).toEqual(reviewedCases.get(title));
    });
  };
}
