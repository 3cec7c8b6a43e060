import type { Document, Node } from 'yaml';
import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml';
import type { Path } from './problem';

/** A parsed YAML file, with the lines of its values. */
export interface YamlText {
  readonly document: Document;
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

/** Aliases inside the value that they refer to: such a value would be endless. */
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
