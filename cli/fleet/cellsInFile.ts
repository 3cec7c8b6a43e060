import { isDeepStrictEqual } from 'node:util';
import { isMap, isNode, isScalar, isSeq, type Document, type Node, type YAMLSeq } from 'yaml';
import { plain } from '../../stacks/settings/yamlEdit';
import { readYaml } from '../../stacks/settings/yamlPlaces';
import type { CellEntry } from './assignment';

// Writes cells into the text of a stack file. Only what changes is written, so that comments and format stay and a review shows
// only the change.

/** A change of the text. */
interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * Returns the text with the cells.
 * @param path path of the cells: `config` and their key
 * @param cells cells of the file, in their order, and then new ones
 */
export function withCells(
  text: string,
  path: readonly [string, string],
  cells: readonly CellEntry[],
): string {
  const { document } = readYaml(text);
  const edits = editsOf(text, document, path, cells);
  change(document, path, cells);
  const edited = edits
    // Of two additions at one place, the first stays first.
    ?.toReversed()
    .sort((one, other) => other.from - one.from)
    .reduce((all, edit) => all.slice(0, edit.from) + edit.text + all.slice(edit.to), text);
  if (edited !== undefined) {
    const { document: result, errors } = readYaml(edited);
    if (errors.length === 0 && isDeepStrictEqual(result.toJS(), document.toJS())) return edited;
  }
  // The edits do not cover all YAML: then the whole file is rewritten, in another format. Comments stay.
  return document.toString({ lineWidth: 0 });
}

/** Changes the document. */
function change(document: Document, path: readonly string[], cells: readonly CellEntry[]): void {
  const seq: unknown = document.getIn(path, true);
  if (!isSeq(seq)) {
    document.setIn(path, document.createNode(cells));
    return;
  }
  const names = seq.items.map((item) => (isMap(item) ? String(item.get('name')) : ''));
  seq.items = seq.items.filter((_, index) => cells.some(({ name }) => name === names[index]));
  cells.forEach((cell, index) => {
    const item: unknown = seq.items[index];
    if (!isMap(item)) {
      seq.add(document.createNode(cell));
      return;
    }
    if ((item.get('wave') ?? 1) !== cell.wave) item.set('wave', cell.wave);
    if (Array.isArray(cell.clusters) && !isDeepStrictEqual(valueOf(item.get('clusters')), cell.clusters))
      item.set('clusters', document.createNode(cell.clusters));
  });
}

function valueOf(node: unknown): unknown {
  return isNode(node) ? (node.toJSON() as unknown) : node;
}

/** Returns the changes of the text; undefined if the text has to be rewritten. */
function editsOf(
  text: string,
  document: Document,
  path: readonly [string, string],
  cells: readonly CellEntry[],
): Edit[] | undefined {
  const seq: unknown = document.getIn(path, true);
  if (seq === undefined) return newKey(text, document.get(path[0], true), path[1], cells);
  if (!isSeq(seq) || !isNode(seq.items.at(-1))) return undefined;
  const edits: (Edit | undefined)[] = [];
  for (const [index, item] of seq.items.entries()) {
    if (!isMap(item)) return undefined;
    const cell = cells.find(({ name }) => name === item.get('name'));
    if (cell === undefined) {
      edits.push(removed(text, seq, index));
      continue;
    }
    const wave: unknown = item.get('wave', true);
    if ((item.get('wave') ?? 1) !== cell.wave) edits.push(replaced(wave, String(cell.wave)));
    const clusters: unknown = item.get('clusters', true);
    if (Array.isArray(cell.clusters) && !isDeepStrictEqual(valueOf(clusters), cell.clusters))
      edits.push(...listEdits(text, clusters, cell.clusters as string[]));
  }
  const last = seq.items.at(-1) as Node;
  const names = seq.items.map((item) => (isMap(item) ? item.get('name') : undefined));
  const added = cells.filter(({ name }) => !names.includes(name));
  if (added.length > 0)
    edits.push(
      seq.flow === true
        ? appended(text, last, added.map((cell) => `, ${inFlow(cell)}`).join(''))
        : items(text, last, (prefix) =>
            added.map((cell) =>
              isMap(last) && last.flow === true ? prefix + inFlow(cell) : inBlock(cell, prefix),
            ),
          ),
    );
  return edits.includes(undefined) ? undefined : (edits as Edit[]);
}

/** Adds the key after the last one of the configuration. */
function newKey(text: string, config: unknown, key: string, cells: readonly CellEntry[]): Edit[] | undefined {
  if (!isMap(config) || config.flow === true) return undefined;
  const { key: lastKey, value } = config.items.at(-1) ?? {};
  if (!isNode(lastKey) || !isNode(value)) return undefined;
  const indent = indentAt(text, lastKey);
  if (indent === undefined) return undefined;
  const lines = [`${indent}${plain(key)}:`, ...cells.map((cell) => inBlock(cell, `${indent}  - `))];
  return [afterLine(text, value, lines)];
}

/** Changes a list of names of clusters. */
function listEdits(text: string, node: unknown, names: readonly string[]): (Edit | undefined)[] {
  if (!isSeq(node) || !node.range) return [undefined];
  if (node.flow === true) return [{ ...span(text, node), text: `[${names.map(plain).join(', ')}]` }];
  const before = valueOf(node) as string[];
  const last: unknown = node.items.at(-1);
  if (!isNode(last)) return [undefined];
  const added = names.filter((name) => !before.includes(name));
  return [
    ...before.flatMap((name, index) => (names.includes(name) ? [] : [removed(text, node, index)])),
    ...(added.length === 0 ? [] : [items(text, last, (prefix) => added.map((name) => prefix + plain(name)))]),
  ];
}

/** Removes an item of a list in block style, with the comments before it. */
function removed(text: string, list: YAMLSeq, index: number): Edit | undefined {
  const [before, node]: unknown[] = [list.items[index - 1], list.items[index]];
  if (list.flow === true || !isNode(node)) return undefined;
  const start = lineStart(text, node.range?.[0] ?? 0);
  const from = isNode(before) ? lineEnd(text, span(text, before).to) : start - 1;
  return { from, to: lineEnd(text, span(text, node).to), text: '' };
}

function replaced(node: unknown, value: string): Edit | undefined {
  return isScalar(node) && node.range ? { from: node.range[0], to: node.range[1], text: value } : undefined;
}

/** Adds items after the last one of a list in block style. */
function items(text: string, last: Node, lines: (prefix: string) => string[]): Edit | undefined {
  const start = last.range?.[0] ?? 0;
  const prefix = text.slice(lineStart(text, start), start);
  return /^ *- +$/.test(prefix) ? afterLine(text, last, lines(prefix)) : undefined;
}

function span(text: string, { range }: Node): Pick<Edit, 'from' | 'to'> {
  const [from, end] = range ?? [0, 0];
  return { from, to: text.slice(0, end).trimEnd().length };
}

function appended(text: string, node: Node, added: string): Edit {
  const { to } = span(text, node);
  return { from: to, to, text: added };
}

function afterLine(text: string, node: Node, lines: readonly string[]): Edit {
  const { to } = span(text, node);
  const at = lineEnd(text, to);
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  return {
    from: at,
    to: at,
    text: lines
      .flatMap((line) => line.split('\n'))
      .map((line) => newline + line)
      .join(''),
  };
}

function lineEnd(text: string, offset: number): number {
  return offset + text.slice(offset).search(/\r?$/m);
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** Returns the indentation of a key; undefined if something else is before it. */
function indentAt(text: string, { range }: Node): string | undefined {
  const start = range?.[0] ?? 0;
  const indent = text.slice(lineStart(text, start), start);
  return /^ *$/.test(indent) ? indent : undefined;
}

function inFlow({ name, wave, clusters }: CellEntry): string {
  return `{ name: ${plain(name)}, wave: ${wave}, clusters: [${(clusters as string[]).map(plain).join(', ')}] }`;
}

function inBlock({ name, wave, clusters }: CellEntry, prefix: string): string {
  const indent = ' '.repeat(prefix.length);
  return [
    `${prefix}name: ${plain(name)}`,
    `${indent}wave: ${wave}`,
    `${indent}clusters:`,
    ...(clusters as string[]).map((cluster) => `${indent}  - ${plain(cluster)}`),
  ].join('\n');
}
