import arm from './arm/parity.json';
import blob from './blob/parity.json';
import entra from './entra/parity.json';
import graph from './graph/parity.json';
import keyvault from './keyvault/parity.json';
import logs from './logs/parity.json';
import metadata from './metadata/parity.json';
import server from './server/parity.json';

/** One claim of parity with Azure, and the test that proves it. */
interface Claim {
  /** Operation ids in the service's specification; in Key Vault's, the names in its audit log. */
  operations: readonly string[];
  /** The behaviour that is the same as in Azure. */
  real: string;
  /** Simplifications and gaps. */
  standIn?: string;
  /** Title of the test. It uses a vendor's client unless `plainHttps`. */
  test: string;
  /** True if the test uses plain HTTPS, because none of the vendors' clients in use sends such a request. */
  plainHttps?: boolean;
}

/** A row of the table. */
interface ParityRow extends Claim {
  service: string;
  /** File of the test, in localcloud/tests/services. */
  testFile: string;
}

/** The claims beside the handlers of each service, by service and by the file of their tests. */
const SERVICES: readonly Readonly<Record<string, Readonly<Record<string, readonly Claim[]>>>>[] = [
  arm,
  blob,
  entra,
  graph,
  keyvault,
  metadata,
  logs,
  server,
];

/** Everything that the local Azure supports, with the test of each row. All other requests are refused by name. */
export const PARITY: readonly ParityRow[] = SERVICES.flatMap((services) =>
  Object.entries(services).flatMap(([service, files]) =>
    Object.entries(files).flatMap(([testFile, claims]) =>
      claims.map((claim) => ({ ...claim, service, testFile })),
    ),
  ),
);

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
