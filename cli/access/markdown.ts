import type { AccessDifference } from '../../stacks/access/difference';
import { grantedName } from '../../stacks/offline';
import { fittingComment } from '../comment';
import { changesOf, countChanges } from './changes';

/** The first line of the comment, by which a pipeline finds the one to update. */
export const markerOf = (environment: string): string => `<!-- aks-wi access ${environment} -->`;

/** A comparison as a comment for a pull request. */
export function differenceInMarkdown(difference: AccessDifference): string {
  const changes = changesOf(difference);
  const title = `### Who can read what: ${difference.after}`;
  if (changes.length === 0)
    return `${markerOf(difference.after)}\n${title}\n\nNothing changes: everybody can read what they could before, and nothing else.\n`;
  const rows = fittingComment(
    changes.map(({ kind, entry, why }) =>
      row([
        kind === 'gained' || kind === 'widened' ? `**${kind}**` : kind,
        `${entry.cluster}/${entry.reader}`,
        grantedName(entry),
        `${entry.overreach ? '⚠️ not named by it: ' : ''}${why}`,
      ]),
    ),
  );
  const left = changes.length - rows.length;
  return [
    markerOf(difference.after),
    title,
    '',
    `${countChanges(changes)}.`,
    '',
    row(['change', 'who', 'what', 'because']),
    row(['---', '---', '---', '---']),
    ...rows,
    ...(left > 0 ? ['', `and ${left} more; \`aks-wi access --diff\` shows all.`] : []),
    '',
  ].join('\n');
}

const row = (cells: readonly string[]): string =>
  `| ${cells.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`;
