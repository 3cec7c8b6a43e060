import pc from 'picocolors';
import type { ExistingResource } from './find';
import { shownInLine } from '../shownOnTerminal';
import { nameInUrn, typeOf, type Step } from '../preview';

/** Lists what exists, one per line, because ids are too long for a table. */
export function renderFound(existing: readonly ExistingResource[]): string {
  const rows = existing.map(({ urn, id, alias }) => ({
    type: typeOf(urn).split(':').at(-1) ?? '',
    name: nameInUrn(urn),
    id: alias === undefined ? id : `${id}  (recorded in \`imported\` of the stack file)`,
  }));
  const width = (key: 'type' | 'name') => Math.max(...rows.map((row) => row[key].length));
  const lines = rows.map(
    ({ type, name, id }) =>
      `  ${type.padEnd(width('type'))}  ${pc.bold(shownInLine(name).padEnd(width('name')))}  ${shownInLine(id)}\n`,
  );
  return `Already in Azure:\n${lines.join('')}`;
}

/** Describes what the next update does after the import. */
export function renderNext(stack: string, steps: readonly Step[]): string {
  const counts = new Map<string, number>();
  for (const { op } of steps) counts.set(op, (counts.get(op) ?? 0) + 1);
  counts.delete('same');
  const counted = [...counts].map(([op, count]) => `${count} ${op}`).join(', ');
  return `The next update: ${counted || 'no change'}. \`pulumi preview --diff --stack ${stack}\` shows it.\n`;
}
