import { isDeepStrictEqual } from 'node:util';
import type { Document, Node, ParseOptions } from 'yaml';
import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, Scalar, visit } from 'yaml';
import { messageOf } from '../../components/resource/errors';
import type { Path } from './problem';
import { shorten } from './problem';

/** A parsed YAML file, with the lines of its values. */
export interface YamlText {
  readonly document: Document;
  /** The values of the document; undefined if there are errors. */
  readonly content: unknown;
  /** Errors of syntax, in the order of the file. */
  readonly errors: readonly { readonly line: number; readonly column: number; readonly message: string }[];
  /** Line of the value at the path, or of the nearest value around it that the file has; the first line is 1. */
  readonly lineOf: (path: Path) => number;
}

export function readYaml(text: string): YamlText {
  const lineCounter = new LineCounter();
  // The engine's parser merges `<<` too. Pretty errors would quote the file, which may contain a secret.
  const document = parseDocument(text, { merge: true, prettyErrors: false, lineCounter });
  const errors = [
    ...document.errors.map(({ pos: [start], code, message }) => {
      if (code === 'MULTIPLE_DOCS')
        return { start, message: 'A second document starts here, and only one is read' };
      const first = code === 'DUPLICATE_KEY' ? firstOf(document, start) : undefined;
      if (first === undefined) return { start, message };
      const { line, col } = lineCounter.linePos(offsetOf(first));
      const key = shorten(JSON.stringify(first.value));
      return { start, message: `The key ${key} is in line ${line}, column ${col} already` };
    }),
    ...wrongAliases(document),
  ];
  let content: unknown;
  try {
    content = errors.length === 0 ? document.toJS() : undefined;
  } catch (error) {
    // Aliases that multiply the values of a file beyond measure are found only here.
    errors.push({ start: 0, message: messageOf(error) });
  }
  return {
    document,
    content,
    errors: errors.map(({ start, message }) => {
      const { line, col } = lineCounter.linePos(start);
      return { line, column: col, message };
    }),
    lineOf: (path) => lineCounter.linePos(startOf(document, path)).line,
  };
}

/**
 * Lines of what parsers of YAML read differently: values and keys without quotes that are no text in YAML 1.1 (dates, `yes`,
 * `012`), values with a tag, and keys that are lists or objects. The engine's parser follows partly the one version and
 * partly the other.
 */
export function ambiguousLines(text: string): number[] {
  const lineCounter = new LineCounter();
  const nodes = (version: '1.1' | '1.2', options: ParseOptions = {}): Node[] => {
    const found: Node[] = [];
    const document = parseDocument(text, { version, merge: true, prettyErrors: false, ...options });
    visit(document, { Node: (_key, node) => void found.push(node) });
    return found;
  };
  const older = nodes('1.1');
  const isAmbiguous = (node: Node, index: number): boolean => {
    if (isAlias(node)) return false;
    if (node.tag !== undefined || (isMap(node) && node.items.some(({ key }) => !isScalar(key)))) return true;
    const other = older[index];
    return (
      isScalar(node) &&
      node.type === Scalar.PLAIN &&
      node.source !== '<<' &&
      isScalar(other) &&
      !isDeepStrictEqual(node.value, other.value)
    );
  };
  return nodes('1.2', { lineCounter })
    .filter(isAmbiguous)
    .map((node) => lineCounter.linePos(offsetOf(node)).line);
}

/** Aliases without an anchor, and aliases inside the value of their anchor: such a value would be endless. */
function wrongAliases(document: Document): { start: number; message: string }[] {
  const found: { start: number; message: string }[] = [];
  visit(document, {
    Alias: (_key, alias, around) => {
      const start = offsetOf(alias);
      const meant = alias.resolve(document);
      if (meant === undefined)
        found.push({ start, message: `The alias *${alias.source} has no anchor before it` });
      else if (around.includes(meant))
        found.push({ start, message: `The alias *${alias.source} is within the value of its anchor` });
    },
  });
  return found;
}

/** The first of the keys that are the same as the one that starts at `start`, in the same object. */
function firstOf(document: Document, start: number): Scalar | undefined {
  let first: Scalar | undefined;
  visit(document, {
    Map: (_key, { items }) => {
      const keys = items.flatMap(({ key }) => (isScalar(key) ? [key] : []));
      const repeated = keys.find((key) => offsetOf(key) === start);
      if (repeated !== undefined) first = keys.find(({ value }) => value === repeated.value);
    },
  });
  return first;
}

/** Offset of the value at the path; for a member of a mapping, of its key. A number as a key is compared as text. */
function startOf(document: Document, path: Path): number {
  let current: unknown = document.contents;
  let start = isNode(current) ? offsetOf(current) : 0;
  for (const step of path) {
    if (isAlias(current)) current = current.resolve(document);
    const pair = isMap(current)
      ? current.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))
      : undefined;
    const next: unknown = isSeq(current) ? current.items[Number(step)] : pair?.key;
    if (!isNode(next)) break;
    start = offsetOf(next);
    current = pair === undefined ? next : pair.value;
  }
  return start;
}

function offsetOf(node: Node): number {
  return node.range?.[0] ?? 0;
}
