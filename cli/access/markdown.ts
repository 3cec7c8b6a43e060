import type { AccessDifference } from '../../stacks/access/difference';
import { grantedName } from '../../stacks/offline';
import { fittingComment } from '../comment';
import { shownInMarkdown } from '../shownInMarkdown';
import { changesOf, countChanges } from './changes';

/** The first line of the comment, by which a pipeline finds the one to update. */
export const markerOf = (environment: string): string =>
  `<!-- aks-wi access ${environment.replace(/[^\w.-]/g, '_')} -->`;

/** A comparison as a comment for a pull request. */
export function differenceInMarkdown(difference: AccessDifference): string {
  const changes = changesOf(difference);
  const title = `### Who can read what: ${shownInMarkdown(difference.after)}`;
  if (changes.length === 0)
    return `${markerOf(difference.after)}\n${title}\n\nNothing changes: everybody can read what they could before, and nothing else.\n`;
  const rows = fittingComment(
    changes.map(({ kind, entry, why }) =>
      row(
        kind === 'gained' || kind === 'widened' ? `**${kind}**` : kind,
        `${entry.cluster}/${entry.reader}`,
        grantedName(entry),
        `${entry.overreach ? '⚠️ not named by it: ' : ''}${why}`,
      ),
    ),
  );
  const left = changes.length - rows.length;
  return [
    markerOf(difference.after),
    title,
    '',
    `${countChanges(changes)}.`,
    '',
    row('change', 'who', 'what', 'because'),
    '| --- | --- | --- | --- |',
    ...rows,
    ...(left > 0 ? ['', `and ${left} more; \`aks-wi access --diff\` shows all.`] : []),
    '',
  ].join('\n');
}

/** @param kind in Markdown; all others are texts of others */
const row = (kind: string, ...cells: readonly string[]): string =>
  `| ${[kind, ...cells.map(shownInMarkdown)].join(' | ')} |`;
