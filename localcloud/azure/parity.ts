import rows from './parity.json';

/** One claim of parity with Azure, and the test that proves it. */
export interface ParityRow {
  service: string;
  /** Operation ids in the service's specification. */
  operations: readonly string[];
  /** The behaviour that is the same as in Azure. */
  real: string;
  /** Simplifications and gaps. */
  standIn?: string;
  /** File of the test, in localcloud/tests/services. */
  testFile: string;
  /** Title of the test. It uses a vendor's client unless `plainHttps`. */
  test: string;
  /** Whether the test uses plain HTTPS, because none of the vendors' clients in use sends such a request. */
  plainHttps?: boolean;
}

/** Everything that the local Azure supports, with the test of each row. All other requests are refused by name. */
export const PARITY: readonly ParityRow[] = rows;

const cell = (text: string): string => text.replaceAll('|', '\\|');

/** Returns the table for docs/local-cloud.md. */
export function parityTable(): string {
  const lines = PARITY.map(
    ({ service, operations, real, standIn = '–', testFile, test, plainHttps }) =>
      `| ${service} | ${operations.map((each) => `\`${each}\``).join(', ')} | ${cell(real)} | ${cell(standIn)} | \`${testFile}\`: ${cell(test)}${plainHttps ? ' (plain HTTPS: no client in use sends it)' : ''} |`,
  );
  return [
    '| service | operations | as in Azure | differences | test |',
    '|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}
