import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { projectRoot } from '../../support/command';

// The tables of docs/requirements.md: what proves a row exists under the name that the row gives, and what is neither
// implemented nor proved has a reason. It does not prove that a test proves its sentence; that its files exist, docs.test.ts
// does.

const docs = path.join(projectRoot, 'docs');
const columns = ['no.', 'the document says', 'implemented by', 'proved by', 'deviation, and why'] as const;
const nothing = '–';

interface Row {
  /** The heading with the title of its document. */
  readonly document: string;
  /** The headings above it and its number. */
  readonly place: string;
  readonly implementation: string;
  readonly proof: string;
  readonly deviation: string;
}

/** A test that a row names: its file, from the root of the project, and the titles in it. */
interface Proof {
  readonly file: string;
  readonly titles: readonly string[];
}

const cellsOf = (line: string) =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());

/** The rows of all tables, and the cells of their headers. */
function read(page: string): { rows: Row[]; headers: string[][] } {
  const rows: Row[] = [];
  const headers: string[][] = [];
  let [document, section] = ['', ''];
  let previous = '';
  for (const line of page.split('\n')) {
    if (line.startsWith('## ')) [document, section] = [line.slice(3), ''];
    if (line.startsWith('### ')) section = line.slice(4);
    if (/^\|( ?:?-+:? ?\|)+$/.test(line)) headers.push(cellsOf(previous));
    else if (line.startsWith('|') && previous.startsWith('|')) {
      const [number = '', , implementation = '', proof = '', deviation = ''] = cellsOf(line);
      const place = `${document}, ${section}, ${number}`;
      rows.push({ document, place, implementation, proof, deviation });
    }
    previous = line;
  }
  return { rows, headers };
}

/** Of `[file](../tests/e2e/x.test.ts) "title", "title"; …`. What has another form is a file that does not exist. */
function proofsOf({ proof }: Row): Proof[] {
  if (proof === nothing) return [];
  return proof.split('; [').map((reference) => {
    const [, target = reference, titles = ''] =
      /^\[?[^\]]+\]\(([^)]+)\) ("[^"]+"(?:, "[^"]+")*)$/.exec(reference) ?? [];
    return {
      file: path.relative(projectRoot, path.resolve(docs, target)),
      titles: [...titles.matchAll(/"([^"]+)"/g)].map((match) => match[1] ?? ''),
    };
  });
}

/** The name that a call begins with: `it` of `it.each<string>([])('…')`. */
function beginningOf(called: ts.Expression): string {
  if (ts.isIdentifier(called)) return called.text;
  if (ts.isPropertyAccessExpression(called) || ts.isCallExpression(called))
    return beginningOf(called.expression);
  return '';
}

/** The titles of `describe`, `it` and `test` in a file, also with `each`, as they stand there. */
function titlesIn(file: string): Set<string> {
  const text = readFileSync(path.join(projectRoot, file), 'utf8');
  const titles = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ['describe', 'it', 'test'].includes(beginningOf(node.expression))) {
      const [title] = node.arguments;
      if (title !== undefined && ts.isStringLiteralLike(title)) titles.add(title.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  return titles;
}

const { rows, headers } = read(readFileSync(path.join(docs, 'requirements.md'), 'utf8'));
const proofs = rows.flatMap((row) => proofsOf(row).map((proof) => ({ place: row.place, ...proof })));

const isTest = (file: string) =>
  /^(localcloud\/)?tests\/.+\.(test|suite)\.ts$/.test(file) && existsSync(path.join(projectRoot, file));

/** The places of the rows for which something holds. */
const placesWhere = (holds: (row: Row) => boolean) => rows.filter(holds).map(({ place }) => place);

describe('the tables of requirements', () => {
  it('have the same columns, and a row for each of the documents', () => {
    expect(headers.length).toBeGreaterThan(0);
    expect(headers.filter((header) => header.join('|') !== columns.join('|'))).toEqual([]);
    expect([...new Set(rows.map(({ document }) => document))]).toEqual([
      'Azure Workload Identity Deployment Architecture',
      'aad-pod-identity: Block Diagram and Design',
      'Azure Service Operator: control flow, both versions',
      'Managed Azure HostedClusters Identity Flow',
    ]);
  });

  it('have each number once in a section', () => {
    const places = rows.map(({ place }) => place);
    expect(places.filter((place, index) => places.indexOf(place) !== index)).toEqual([]);
  });

  it('say in each row where it is implemented, or what deviates', () => {
    expect(
      placesWhere(
        ({ implementation, deviation }) => !/\]\(\.\.\/[^)]+\)/.test(implementation) && deviation === nothing,
      ),
    ).toEqual([]);
  });

  it('say in each row which test proves it, or what deviates', () => {
    expect(placesWhere(({ proof, deviation }) => proof === nothing && deviation === nothing)).toEqual([]);
  });

  it('have no empty cell', () => {
    expect(
      placesWhere(({ implementation, proof, deviation }) => [implementation, proof, deviation].includes('')),
    ).toEqual([]);
  });

  it('name tests by a link to a file that exists, and titles in quotes', () => {
    expect(proofs.filter(({ file }) => !isTest(file))).toEqual([]);
  });

  it.each([...new Set(proofs.map(({ file }) => file).filter(isTest))])(
    'name titles that are in %s',
    (file) => {
      const there = titlesIn(file);
      const named = proofs.filter((proof) => proof.file === file);
      expect(
        named.flatMap(({ place, titles }) =>
          titles.filter((title) => !there.has(title)).map((title) => `${place}: "${title}"`),
        ),
      ).toEqual([]);
    },
  );
});
