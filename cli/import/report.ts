import pc from 'picocolors';
import type { Finding } from './find';
import type { Difference } from './inputs';
import type { PlannedCreate, Preview } from './preview';
import { nameOf, typeOf } from './preview';
import { importableType } from './types';

/** Something of the program that exists already. */
export interface Found {
  create: PlannedCreate;
  finding: Extract<Finding, { kind: 'exists' | 'alias' }>;
}

/** Of something in the stack. */
function describe({ type, urn }: Pick<PlannedCreate, 'type' | 'urn'>): { label: string; name: string } {
  return { label: importableType(type)?.label ?? type, name: nameOf(urn) };
}

/** What would be, or was, taken in: a line each, since ids are too long for a table. */
export function renderFound(found: readonly Found[]): string {
  const rows = found.map(({ create, finding }) => ({ ...describe(create), finding }));
  const width = (key: 'label' | 'name') => Math.max(...rows.map((row) => row[key].length));
  const lines = rows.map(({ label, name, finding }) => {
    const recorded = finding.kind === 'alias' ? `  (recorded in \`imported\` of the stack file)` : '';
    return `  ${label.padEnd(width('label'))}  ${pc.bold(name.padEnd(width('name')))}  ${finding.id}${recorded}`;
  });
  return `In Azure already:\n${lines.join('\n')}\n`;
}

const shownLength = 60;

function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
}

/** Where what was taken in is not as the program wants it. */
export function renderDifferences(differences: ReadonlyMap<string, readonly Difference[]>): string {
  const lines = [...differences].flatMap(([urn, list]) =>
    list.map(({ path, actual, wanted }) => {
      const { label, name } = describe({ urn, type: typeOf(urn) });
      return `  ${pc.yellow('~')} ${label} ${name}: ${path} ${show(actual)} → ${show(wanted)}`;
    }),
  );
  return lines.length === 0 ? '' : `The next update changes:\n${lines.join('\n')}\n`;
}

/** What is left of the program after all was taken in. */
export function renderRest({ creates, changes }: Preview): string {
  const custom = creates.filter((create) => create.custom && !create.type.startsWith('pulumi:'));
  const inAzure = custom.filter(({ type }) => importableType(type) !== undefined);
  const elsewhere = custom.length - inAzure.length;
  const replaced = [...changes]
    .filter(([, op]) => /replace/.test(op))
    .map(([urn]) => `  ${pc.red('±')} ${nameOf(urn)}`);
  return [
    inAzure.length === 0 ? '' : `The next update makes in Azure:\n${inAzure.map(lineOf).join('\n')}\n`,
    elsewhere === 0 ? '' : `The next update makes ${elsewhere} resources in clusters.\n`,
    replaced.length === 0 ? '' : `The next update would replace:\n${[...new Set(replaced)].join('\n')}\n`,
  ].join('');
}

function lineOf(create: PlannedCreate): string {
  const { label, name } = describe(create);
  return `  ${pc.green('+')} ${label} ${name}`;
}
