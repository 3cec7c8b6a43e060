import { shownAsCode } from '../shownInMarkdown';
import type { Difference } from './compare';
import type { Recorded } from './record';

/** The records of both clouds and their differences. It contains nothing secret. */
export interface RunReport {
  /** Steps in order, with their results. */
  readonly steps: readonly { readonly side: string; readonly step: string; readonly result: string }[];
  readonly differences: readonly Difference[];
  readonly azure: readonly Recorded[];
  /** Undefined before the run on the local cloud, or if it could not begin. */
  readonly local: readonly Recorded[] | undefined;
}

const code = (text: string): string => (text === '' ? '–' : shownAsCode(text).replaceAll('|', '\\|'));
const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const table = (head: readonly string[], rows: readonly string[]): string[] => [
  row(...head),
  row(...head.map(() => '---')),
  ...rows,
];

const recordedNames =
  'Names, ids, tokens and values are not recorded. Members with names of letters only are: check that none of them is a name of yours before you attach this.';

/** Renders a report as Markdown for an issue. The records are only in its JSON. */
export function renderReport({ steps, differences, azure, local }: RunReport): string {
  return [
    '# First run on Azure',
    '',
    local === undefined
      ? `${azure.length} distinct exchanges with Azure were recorded. They are not compared: there are none with the local cloud. ${recordedNames}`
      : `${azure.length} distinct exchanges with Azure and ${local.length} with the local cloud were recorded. They differ in ${differences.length} places. ${recordedNames}`,
    '',
    '## Steps',
    '',
    ...table(
      ['where', 'step', 'result'],
      steps.map(({ side, step, result }) => row(side, step, result)),
    ),
    '',
    '## Differences',
    '',
    ...(differences.length === 0
      ? [local === undefined ? 'Not compared.' : 'None.']
      : table(
          ['operation', 'what', 'name', 'Azure', 'local cloud'],
          differences.map((difference) =>
            row(
              code(difference.operation),
              difference.what,
              code(difference.name),
              code(difference.azure),
              code(difference.local),
            ),
          ),
        )),
    '',
  ].join('\n');
}

/**
 * Throws if a text contains one of these values. It is the last check before a report is written: the records have no place for
 * them.
 */
export function refuseValues(text: string, values: readonly string[]): void {
  if (values.some((value) => value.length > 0 && text.includes(value)))
    throw new Error('The report would contain a secret or an id, and was not written.');
}
