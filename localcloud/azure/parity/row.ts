/** One claim of parity with Azure, and the test that proves it. */
export interface ParityRow {
  service:
    | 'Resource manager'
    | 'Entra'
    | 'Microsoft Graph'
    | 'Key Vault'
    | 'Blob service'
    | 'Log Analytics'
    | 'AKS issuer'
    | 'Metadata service'
    | 'Server';
  /** Operation ids in the service's specification. */
  operations: readonly string[];
  /** What behaves as in Azure. */
  real: string;
  /** What is simplified or missing. */
  standIn: string;
  /**
   * The test: a file in localcloud/tests/services, and a title in it. It uses a vendor's client unless
   * `plainHttps`.
   */
  test: { file: string; name: string };
  /** Whether the test uses plain HTTPS, because no vendor's client in use sends such a request. */
  plainHttps: boolean;
}

export const row = (
  service: ParityRow['service'],
  operations: readonly string[],
  real: string,
  standIn: string,
  file: string,
  name: string,
  plainHttps = false,
): ParityRow => ({
  service,
  operations,
  real,
  standIn,
  test: { file: `localcloud/tests/services/azure/${file}.test.ts`, name },
  plainHttps,
});

export const ARM = 'Resource manager';
