import { isDeepStrictEqual } from 'node:util';
import type { Document } from 'yaml';
import { isMap, isNode, isScalar, stringify } from 'yaml';
import { readYaml } from './yamlPlaces';

/**
 * Returns the text of a YAML file with the value set at the path. Only the value is replaced, or one entry is added: comments
 * and format stay, and a review shows only the change.
 */
export function withValue(text: string, path: readonly string[], value: string): string {
  const { document } = readYaml(text);
  const edited = editValue(text, document, path, value);
  document.setIn(path, value);
  const { document: result, errors } = readYaml(edited);
  if (errors.length === 0 && isDeepStrictEqual(result.toJS(), document.toJS())) return edited;
  // The edit does not cover all YAML, such as anchors: then the whole file is rewritten, in another format.
  return document.toString({ lineWidth: 0 });
}

function editValue(text: string, document: Document, path: readonly string[], value: string): string {
  const old: unknown = document.getIn(path, true);
  if (isScalar(old) && old.range) {
    const [start, end] = old.range;
    return text.slice(0, start) + likewise(text, start, value) + text.slice(end);
  }
  // The entry is added to the innermost map that the file has.
  const depth = path.findLastIndex((_, index) => isMap(document.getIn(path.slice(0, index), true)));
  const map: unknown = document.getIn(path.slice(0, depth), true);
  if (!isMap(map)) return text;
  const last: { key?: unknown; value?: unknown } = map.items.at(-1) ?? {};
  if (!isNode(last.key) || !isNode(last.value) || !last.key.range || !last.value.range) return text;
  const [keyStart] = last.key.range;
  const [valueStart, rangeEnd] = last.value.range;
  const keys = path.slice(depth).map((key) => `${plain(key)}:`);
  const added = likewise(text, valueStart, value);
  const valueEnd = text.slice(0, rangeEnd).trimEnd().length;
  if (map.flow === true)
    return `${text.slice(0, valueEnd)}, ${keys.join(' ')} ${added}${text.slice(valueEnd)}`;
  const indent = text.slice(text.lastIndexOf('\n', keyStart - 1) + 1, keyStart);
  const step = ' '.repeat(indent.length / depth);
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const entry = keys.map((key, level) => `${newline}${indent}${step.repeat(level)}${key}`).join('');
  const lineEnd = valueEnd + text.slice(valueEnd).search(/\r?$/m);
  return `${text.slice(0, lineEnd)}${entry} ${added}${text.slice(lineEnd)}`;
}

/** Returns the value in the same quotes as the value that starts at `start`. */
function likewise(text: string, start: number, value: string): string {
  const quote = /^['"]/.exec(text.slice(start, start + 1))?.[0];
  return quote === undefined ? plain(value) : `${quote}${value}${quote}`;
}

/** Returns the string without quotes, if all versions of YAML read it as a string. */
export function plain(text: string): string {
  return stringify(text, { version: '1.1' }).trimEnd();
}
