/** One claim of parity and the test that holds it. */
export interface ParityRow {
  service: 'Resource manager' | 'Entra' | 'Key Vault' | 'AKS issuer' | 'Server';
  /** Operation ids as in the service's specification. */
  operations: readonly string[];
  /** What behaves as in Azure. */
  real: string;
  /** What is only imitated, or left out. */
  standIn: string;
  /** The test that drives it, through a vendor's own client unless `plainHttps`: file below tests/localcloud/azure, and its name. */
  test: { file: string; name: string };
  /** True where the test asks by plain HTTPS, since none of the vendors' clients in use asks for it. */
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
  test: { file: `tests/localcloud/azure/${file}.test.ts`, name },
  plainHttps,
});

export const ARM = 'Resource manager';
