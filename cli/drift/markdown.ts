import { countDrift, detailsOf, titleOf, type Drift, type DriftReport } from './report';

/** Above this, GitHub and Azure DevOps refuse a comment. */
const most = 100;

/** The report for an issue, a comment or a summary of a pipeline. */
export function driftInMarkdown({ stack, drift, notes, remedy }: DriftReport): string {
  const title = `### Drift of stack ${stack}`;
  const below = notes.flatMap((note) => ['', `> ${note}`]);
  if (drift.length === 0) return `${[title, '', 'No drift.', ...below].join('\n')}\n`;
  const left = drift.length - most;
  return `${[
    title,
    '',
    `${countDrift(drift)}.`,
    '',
    ...drift.slice(0, most).map(item),
    ...(left > 0 ? [`- and ${left} more; \`aks-wi drift\` shows all.`] : []),
    ...below,
    ...(remedy === undefined ? [] : ['', remedy]),
  ].join('\n')}\n`;
}

const item = (one: Drift): string =>
  [`- **${one.change}** ${code(titleOf(one))}`, ...detailsOf(one).map((line) => `  - ${code(line)}`)].join(
    '\n',
  );

/** As code, so that nothing in it is read as a mention or a link. */
const code = (text: string): string => `\`${text.replaceAll('`', "'").replaceAll(/\s+/g, ' ')}\``;
