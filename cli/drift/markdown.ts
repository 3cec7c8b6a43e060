import { fittingComment } from '../comment';
import { shownAsCode, shownInMarkdown } from '../shownInMarkdown';
import { countDrift, detailsOf, titleOf, type Drift, type DriftReport } from './report';

/** Returns the report for an issue, a comment or the summary of a pipeline. */
export function driftInMarkdown({ stack, drift, notes, hint }: DriftReport): string {
  const title = `### Drift of stack ${shownInMarkdown(stack)}`;
  const below = notes.flatMap((note) => ['', `> ${shownInMarkdown(note)}`]);
  if (drift.length === 0) return `${[title, '', 'No drift.', ...below].join('\n')}\n`;
  const items = fittingComment(drift.map(item));
  const left = drift.length - items.length;
  return `${[
    title,
    '',
    `${countDrift(drift)}.`,
    '',
    ...items,
    ...(left > 0 ? [`- and ${left} more; \`aks-wi drift\` shows all.`] : []),
    ...below,
    ...(hint === undefined ? [] : ['', hint]),
  ].join('\n')}\n`;
}

const item = (entry: Drift): string =>
  [
    `- **${entry.change}** ${shownAsCode(titleOf(entry))}`,
    ...detailsOf(entry).map((line) => `  - ${shownAsCode(line)}`),
  ].join('\n');
