import { isRecord } from '../../../components/resource/fields';
import { inline, linesOf } from './compact';
import type { Paragraph } from './paragraphs';
import type { Sections } from './sections';
import { linesOfParagraph } from './sections';

// The golden of a variant: what differs from its example. What is gone is named, what is new is there as a whole, and of
// the rest there is what changed, each value with its path.

/** Each value with its path. */
function leaves(value: unknown, path: string): string[] {
  if (isRecord(value) && Object.keys(value).length > 0)
    return Object.entries(value).flatMap(([key, field]) =>
      leaves(field, path === '' ? key : `${path}.${key}`),
    );
  if (!Array.isArray(value) || value.length === 0)
    return [path === '' ? inline(value) : `${path}: ${inline(value)}`];
  return value.flatMap((item: unknown) =>
    isRecord(item) && value.length === 1 ? leaves(item, `${path}[]`) : [`${path}[]: ${inline(item)}`],
  );
}

function changed(before: readonly string[], after: readonly string[]): string[] {
  return [
    ...before.filter((line) => !after.includes(line)).map((line) => `  - ${line}`),
    ...after.filter((line) => !before.includes(line)).map((line) => `  + ${line}`),
  ];
}

const factsOf = ({ options, after, inputs }: Paragraph) => [
  ...options,
  ...after.map((name) => `after ${name}`),
  ...leaves(inputs, ''),
];

/** Outputs by what tells them apart; entries of a list each by their own id. */
type Entries = ReadonlyMap<string, unknown>;

function entriesOf(outputs: object): Entries {
  return new Map(
    Object.entries(outputs).flatMap(([key, value]: [string, unknown]) => {
      if (!Array.isArray(value)) return isRecord(value) ? beneath(key, value) : [[key, value] as const];
      return value.map((item: unknown) => [`${key} ${inline(idOf(item))}`, item] as const);
    }),
  );
}

const beneath = (key: string, value: object) =>
  Object.entries(value).map(([name, field]: [string, unknown]) => [`${key} ${name}`, field] as const);

function idOf(item: unknown): unknown {
  if (!isRecord(item)) return item;
  const { cluster, application, name, id } = item;
  const parts = [cluster, application, name].filter((part) => typeof part === 'string');
  return parts.length > 0 ? parts.join('/') : (id ?? item);
}

/** The entries that only one has, or that differ. */
function compared<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  added: (key: string, value: T) => string[],
  facts: (value: T) => string[],
): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const [was, is] = [before.get(key), after.get(key)];
    if (is === undefined) return [`- ${key}`];
    if (was === undefined) return added(key, is);
    const lines = changed(facts(was), facts(is));
    return lines.length === 0 ? [] : [key, ...lines];
  });
}

export function differenceOf(before: Sections, after: Sections): string {
  const byHeading = (all: readonly Paragraph[]) =>
    new Map(all.map((paragraph) => [paragraph.heading, paragraph] as const));
  const resources = compared(
    byHeading(before.resources),
    byHeading(after.resources),
    (_, paragraph) =>
      linesOfParagraph(paragraph).map((line, index) => (index === 0 ? `+ ${line}` : `  ${line}`)),
    factsOf,
  );
  const others = (['reads', 'warnings', 'findings'] as const).flatMap((name) => {
    const lines = changed(before[name], after[name]);
    return lines.length === 0 ? [] : [name, ...lines];
  });
  const outputs = compared(
    entriesOf(before.outputs),
    entriesOf(after.outputs),
    (key, value) => (isRecord(value) ? [`+ ${key}`, ...linesOf(value, 4)] : [`+ ${key}: ${inline(value)}`]),
    (value) => leaves(value, ''),
  );
  const all = [
    ...resources,
    ...others,
    ...outputs.map((line) => line.replace(/^([+-] )?(?! )/, '$1output ')),
  ];
  return all.length === 0 ? 'nothing\n' : all.join('\n') + '\n';
}
