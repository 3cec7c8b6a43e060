import { readFileSync, writeFileSync } from 'node:fs';
import type { YAMLMap } from 'yaml';
import { isMap, isNode, isScalar, parseDocument } from 'yaml';
import { VisibleError } from '../visibleError';
import type { AliasKind } from './find';

/** Something that exists under another name than the program would give it. */
export interface Alias {
  as: AliasKind;
  /** Name in the stack. */
  inStack: string;
  /** Name in Azure. */
  inAzure: string;
}

const key = 'aks-workload-identity:imported';

/** The text of a stack file with the names recorded; everything else, comments and layout too, stays as it is. */
export function withAliases(text: string, aliases: readonly Alias[]): string {
  const document = parseDocument(text);
  const config = document.get('config');
  if (document.errors.length > 0 || !isMap(config)) throw new Error('no configuration in it');
  const { from, to, indent } = placeOf(text, config);
  const lines = text.slice(from, to).split('\n');
  const block = parseDocument(lines.map((line) => line.slice(indent.length)).join('\n'));
  for (const { as, inStack, inAzure } of aliases) block.setIn([key, as, inStack], inAzure);
  // Long lines are left as they are.
  const written = block
    .toString({ lineWidth: 0 })
    .split('\n')
    .map((line) => (line === '' ? line : indent + line))
    .join('\n');
  const before = text.slice(0, from);
  return `${before}${before.endsWith('\n') ? '' : '\n'}${written}${text.slice(to)}`;
}

/** Where the names are in the text, or where they belong: at the end of the configuration. */
function placeOf(text: string, config: YAMLMap): { from: number; to: number; indent: string } {
  const lineStart = (position: number) => text.lastIndexOf('\n', position - 1) + 1;
  const lineEnd = (position: number) => {
    const end = text.indexOf('\n', position);
    return end < 0 ? text.length : end + 1;
  };
  const first = rangeOf(config.items[0]?.key)?.[0] ?? 0;
  const indent = text.slice(lineStart(first), first);
  const pair = config.items.find(({ key: name }) => isScalar(name) && name.value === key);
  const start = rangeOf(pair?.key)?.[0];
  const end = rangeOf(pair?.value)?.[1] ?? rangeOf(config)?.[1] ?? text.length;
  const to = text[end - 1] === '\n' ? end : lineEnd(end);
  return { from: start === undefined ? to : lineStart(start), to, indent };
}

function rangeOf(node: unknown): readonly number[] | undefined {
  return isNode(node) ? (node.range ?? undefined) : undefined;
}

/** Records names in a stack file. */
export function recordAliases(file: string, aliases: readonly Alias[]): void {
  let text: string;
  try {
    text = withAliases(readFileSync(file, 'utf8'), aliases);
  } catch (error) {
    throw new VisibleError(
      `${file} cannot be changed: ${error instanceof Error ? error.message : String(error)}.`,
      'Name the file that the configuration of the stack is in with --stack-file.',
    );
  }
  writeFileSync(file, text);
}
