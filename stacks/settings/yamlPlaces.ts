import { isDeepStrictEqual } from 'node:util';
import type { Document, Node, ParseOptions } from 'yaml';
import {
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  Scalar,
  visit,
} from 'yaml';
import { messageOf } from '../../components/resource/errors';
import type { Path } from './problem';
import { shorten } from './problem';

/** A parsed YAML file, with the lines of its values. */
export interface YamlText {
  readonly document: Document;
  /** The values of the document; undefined if there are errors. */
  readonly content: unknown;
  /** Syntax errors, in the order of the file. */
  readonly errors: readonly { readonly line: number; readonly column: number; readonly message: string }[];
  /** Returns the line of the value at the path, or of the nearest value around it in the file. The first line is 1. */
  readonly lineOf: (path: Path) => number;
}

/**
 * `merge`: the engine's parser merges `<<` as well. `prettyErrors`: they would quote the file, which may contain a secret.
 * `uniqueKeys`: repeated keys are detected below, because the library compares each key with every other one.
 */
const engineLike = { merge: true, prettyErrors: false, uniqueKeys: false } as const;

export function readYaml(text: string): YamlText {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { ...engineLike, lineCounter });
  // After a tab in the indentation, the parser reports further, misleading errors.
  const tabs = document.errors.filter(({ code }) => code === 'TAB_AS_INDENT');
  const errors = [
    ...(tabs.length > 0 ? tabs : document.errors).map(({ pos: [start], code, message }) => {
      const second = 'A second document starts here, and only one is read';
      return { start, message: code === 'MULTIPLE_DOCS' ? second : message };
    }),
    ...(document.directives.yaml.explicit === true
      ? [{ start: 0, message: 'Parsers interpret the directive %YAML differently' }]
      : []),
    ...wrongCharacters(text),
    ...wrongAliases(document),
    ...repeatedKeys(document, (node) => lineCounter.linePos(offsetOf(node))),
  ].sort((one, other) => one.start - other.start);
  let content: unknown;
  try {
    content = errors.length === 0 ? document.toJS() : undefined;
  } catch (error) {
    // Aliases that expand the file excessively are found only here.
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

/** A value that YAML parsers read differently. */
export interface Ambiguous {
  readonly line: number;
  /** Path of the value, or of the value that belongs to a key. */
  readonly path: Path;
  /** Source text; undefined for a list or an object. */
  readonly source: string | undefined;
}

/**
 * Returns what YAML parsers read differently: unquoted values and keys that are not strings in YAML 1.1 (dates, `yes`, `012`),
 * values with a tag, and keys that are lists or objects. The engine's parser follows one version in some parts and the other
 * version in others.
 */
export function ambiguousIn(text: string): Ambiguous[] {
  const lineCounter = new LineCounter();
  const nodes = (version: '1.1' | '1.2', options: ParseOptions = {}): { node: Node; path: Path }[] => {
    const found: { node: Node; path: Path }[] = [];
    const document = parseDocument(text, { ...engineLike, version, ...options });
    visit(document, { Node: (_key, node, around) => void found.push({ node, path: pathOf(node, around) }) });
    return found;
  };
  const older = nodes('1.1');
  const isAmbiguous = ({ node }: { node: Node }, index: number): boolean => {
    if (isAlias(node)) return false;
    if (node.tag !== undefined || (isMap(node) && node.items.some(({ key }) => !isScalar(key)))) return true;
    const other = older[index]?.node;
    return (
      isScalar(node) &&
      node.type === Scalar.PLAIN &&
      node.source !== '<<' &&
      isScalar(other) &&
      // Only the engine's parser reads these as numbers.
      (/^[-+]?0(X[\dA-Fa-f_]+|O[0-7_]+|B[01_]+)$/.test(String(node.source)) ||
        !isDeepStrictEqual(node.value, other.value))
    );
  };
  return nodes('1.2', { lineCounter })
    .filter(isAmbiguous)
    .map(({ node, path }) => ({
      path,
      line: lineCounter.linePos(offsetOf(node)).line,
      source: isScalar(node) ? node.source : undefined,
    }));
}

/** Returns the keys and indexes on the way to a node; `around` are the nodes that contain it. */
function pathOf(node: Node, around: readonly unknown[]): Path {
  const nodes = [...around, node];
  return around.flatMap((parent, index): (string | number)[] => {
    if (isSeq(parent)) return [parent.items.indexOf(nodes[index + 1])];
    return isPair(parent) && isScalar(parent.key) ? [String(parent.key.source ?? parent.key.value)] : [];
  });
}

/** Finds aliases without an anchor, and aliases inside the value of their own anchor, which would be infinite. */
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

/** Finds characters that the engine's parser refuses, and replacements of bytes that are not UTF-8. */
function wrongCharacters(text: string): { start: number; message: string }[] {
  return [...text.matchAll(/[^\P{Cc}\t\n\r\u0085]|\uFFFD/gu)].map(({ index, 0: character }) => {
    if (character === '\uFFFD') return { start: index, message: 'A character is not in UTF-8' };
    const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return { start: index, message: `The control character U+${code} is not allowed` };
  });
}

/** Finds keys that an object contains twice. */
function repeatedKeys(document: Document, placeOf: (node: Node) => { line: number; col: number }) {
  const found: { start: number; message: string }[] = [];
  visit(document, {
    Map: (_key, { items }) => {
      const firsts = new Map<unknown, Scalar>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const first = firsts.get(key.value);
        if (first === undefined) {
          firsts.set(key.value, key);
          continue;
        }
        const { line, col } = placeOf(first);
        const name = shorten(JSON.stringify(first.value));
        found.push({
          start: offsetOf(key),
          message: `The key ${name} is in line ${line}, column ${col} already`,
        });
      }
    },
  });
  return found;
}

/**
 * Returns the offset of the value at the path, or of the key if it is a member of a mapping. A numeric key is compared as a
 * string.
 */
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
