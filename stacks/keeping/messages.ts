import { formatPath } from '../configuration/problem';
import { keptKinds } from './kinds';
import type { KeptPlan, KeptThing } from './plan';

type Named = Pick<KeptThing, 'kind' | 'name' | 'id'>;

/** What the user has to know of what is kept; each a warning. */
export function keptWarnings(environment: string, { things, deleted, gone }: KeptPlan): string[] {
  const file = `Pulumi.${environment}.yaml`;
  const key = formatPath(['deletions']);
  const shown = things.filter(({ used }) => !used);
  const kept = shown.filter(({ deletion }) => deletion === 'kept');
  const next = shown.filter(({ deletion }) => deletion === 'allowed');
  const message = (head: string, list: readonly Named[], tail: string) =>
    list.length === 0 ? [] : [`${head}\n${table(list)}\n${tail}`];
  return [
    ...message(
      'Kept, though the configuration no longer has them; their trust and their grants are gone:',
      kept,
      `Put one back into ${file} to use it again. To delete one, list its id in ${key} and run two updates: the first ` +
        'allows the deletion, the second deletes.',
    ),
    ...message(
      `Listed in ${key}: the next update deletes`,
      next,
      `Remove an entry from ${key} to keep it after all.`,
    ),
    ...message(
      'This update deletes, as the stack file allows:',
      deleted,
      'A deleted vault or secret can be recovered for the days of its retention.',
    ),
    ...(gone.length === 0
      ? []
      : [
          `${key} lists what this stack does not keep (any more):\n${gone.map((id) => `  ${id}`).join('\n')}\nRemove it from ${file}.`,
        ]),
  ];
}

function table(things: readonly Named[]): string {
  const rows = things.map(
    ({ kind, name, id }) => [keptKinds[kind].label, name, id ?? '(id not known yet)'] as const,
  );
  const width = (column: 0 | 1) => Math.max(...rows.map((row) => row[column].length));
  return rows
    .map(([label, name, id]) => `  ${label.padEnd(width(0))}  ${name.padEnd(width(1))}  ${id}`)
    .join('\n');
}
