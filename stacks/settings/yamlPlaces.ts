import type { Document, Node, Pair } from 'yaml';
import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml';
import type { Path } from './problem';

/** A YAML file that was read, and where in it everything is. */
export interface YamlText {
  readonly document: Document;
  /** What is no YAML, in the order of the file. */
  readonly errors: readonly { readonly line: number; readonly column: number; readonly message: string }[];
  /** Line of the value, or of the nearest thing around it that the file has; the first is 1. */
  readonly lineOf: (path: Path) => number;
}

export function readYaml(text: string): YamlText {
  const lineCounter = new LineCounter();
  // The engine's parser merges `<<` too. Pretty errors show the file, in which a secret may stand.
  const document = parseDocument(text, { merge: true, prettyErrors: false, lineCounter });
  const errors = [
    ...document.errors.map(({ pos: [start], message }) => ({ start, message })),
    ...endlessAliases(document),
  ].map(({ start, message }) => {
    const { line, col } = lineCounter.linePos(start);
    return { line, column: col, message };
  });
  return {
    document,
    errors,
    lineOf: (path) => lineCounter.linePos(startOf(document, path)).line,
  };
}

/** Aliases within what they stand for, which have no end. */
function endlessAliases(document: Document): { start: number; message: string }[] {
  const found: { start: number; message: string }[] = [];
  visit(document, {
    Alias: (_key, alias, around) => {
      const meant = alias.resolve(document);
      if (meant !== undefined && around.includes(meant))
        found.push({
          start: offsetOf(alias),
          message: `The alias *${alias.source} is within what it stands for`,
        });
    },
  });
  return found;
}

/** Where what the path leads to starts; for a key of a mapping, the key. */
function startOf(document: Document, path: Path): number {
  let current: unknown = document.contents;
  let start = isNode(current) ? offsetOf(current) : 0;
  for (const step of path) {
    if (isAlias(current)) current = current.resolve(document);
    const next = stepInto(current, step);
    if (next === undefined) break;
    start = next.start;
    current = next.value;
  }
  return start;
}

function stepInto(node: unknown, step: string | number): { start: number; value: unknown } | undefined {
  if (isMap(node)) {
    const pair = pairOf(node.items, step);
    const key: unknown = pair?.key;
    return pair && isNode(key) ? { start: offsetOf(key), value: pair.value } : undefined;
  }
  const item: unknown = isSeq(node) && typeof step === 'number' ? node.items[step] : undefined;
  return isNode(item) ? { start: offsetOf(item), value: item } : undefined;
}

/** The member of a mapping with the key; numbers are keys as their texts. */
export function pairOf(items: readonly Pair[], step: string | number): Pair | undefined {
  return items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
}

function offsetOf(node: Node): number {
  return node.range?.[0] ?? 0;
}
