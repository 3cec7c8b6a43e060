import pc from 'picocolors';
import type { AccessDifference } from '../../stacks/access/difference';
import type { Access } from '../../stacks/access/model';
import { grantedName } from '../../stacks/offline';
import { fittedTable } from '../fittedTable';
import { alike } from './alike';
import { changesOf, countChanges } from './changes';

const titles = ['cluster', 'who', 'service accounts', 'identity', 'what', 'because'];

/** @param terminal width of the terminal, into which the table is to fit */
export function renderAccess(
  { environment, entries }: Access,
  terminal = process.stdout.columns || 80,
): string {
  if (entries.length === 0) return `Nobody can read a secret in ${environment}.\n`;
  const rows = alike(entries).map(({ first, granted }) => [
    first.cluster,
    first.reader,
    first.serviceAccounts.join(', ') || '–',
    first.identities.join(', ') || '–',
    granted.join(', '),
    first.overreach ? pc.yellow(first.because) : first.because,
  ]);
  const over = entries.filter(({ overreach }) => overreach);
  const warning =
    over.length === 0
      ? ''
      : `\n${pc.yellow('!')} ${over.length} of ${entries.length} can be read without being named.\n`;
  return `${fittedTable(titles, rows, [4, 5, 2, 3, 1], terminal)}\n${warning}`;
}

const signs = {
  gained: pc.red('+ gained'),
  widened: pc.yellow('~ widened'),
  narrowed: pc.green('~ narrowed'),
  lost: pc.green('- lost'),
};

export function renderDifference(
  difference: AccessDifference,
  terminal = process.stdout.columns || 80,
): string {
  const changes = changesOf(difference);
  if (changes.length === 0) return 'Everybody can read what they could before, and nothing else.\n';
  const rows = changes.map(({ kind, entry, why }) => [
    signs[kind],
    `${entry.cluster}/${entry.reader}`,
    grantedName(entry),
    why,
  ]);
  return `${fittedTable(['change', 'who', 'what', 'because'], rows, [3, 2, 1], terminal)}\n\n${countChanges(changes)}\n`;
}
