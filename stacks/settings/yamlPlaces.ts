import type { Document, Node } from 'yaml';
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

/** Where what the path leads to starts; for a key of a mapping, the key. Numbers are keys as their texts. */
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
