/** The service that a host name leads to. */
export type Destination =
  | { service: 'arm' | 'entra' | 'graph' | 'logs' | 'metadata' | 'loopback' | 'charts' }
  | { service: 'vault'; vault: string }
  | { service: 'blob'; account: string }
  | { service: 'issuer'; region: string };

const VAULT_SUFFIX = '.vault.azure.net';
const BLOB_SUFFIX = '.blob.core.windows.net';
const ISSUER_SUFFIX = '.oic.prod-aks.azure.com';

const ARM_HOST = 'management.azure.com';
export const ENTRA_HOST = 'login.microsoftonline.com';
/** Hosts of the query service of Log Analytics, by its older and its newer name. */
const LOG_HOSTS: readonly string[] = ['api.loganalytics.io', 'api.loganalytics.azure.com'];
/** Address of the metadata service on every node. It answers plain HTTP only. */
export const METADATA_HOST = '169.254.169.254';

/** Hosts of charts: the vendors' repositories, and a registry with a name that no public registry has. */
export const CHART_HOSTS = {
  certManager: 'charts.jetstack.io',
  serviceOperator: 'raw.githubusercontent.com',
  workloadIdentityWebhook: 'azure.github.io',
  registry: 'charts.example.azurecr.io',
} as const;
const chartHosts: readonly string[] = Object.values(CHART_HOSTS);

/** The names in the server's certificate, which are also the only hosts to which the proxy opens tunnels. */
export const SERVED_NAMES: readonly string[] = [
  'localhost',
  ARM_HOST,
  ENTRA_HOST,
  'graph.microsoft.com',
  'sts.windows.net',
  ...LOG_HOSTS,
  `*${VAULT_SUFFIX}`,
  `*${BLOB_SUFFIX}`,
  `*${ISSUER_SUFFIX}`,
  ...chartHosts,
];

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);

const label = (host: string, suffix: string): string | undefined => {
  const name = host.endsWith(suffix) ? host.slice(0, -suffix.length) : '';
  return name === '' || name.includes('.') ? undefined : name;
};

/** The destination of a host; undefined if the local cloud does not serve it. */
export function destinationOf(host: string): Destination | undefined {
  if (isLoopback(host)) return { service: 'loopback' };
  if (host === ARM_HOST) return { service: 'arm' };
  if (host === ENTRA_HOST || host === 'sts.windows.net') return { service: 'entra' };
  if (host === 'graph.microsoft.com') return { service: 'graph' };
  if (LOG_HOSTS.includes(host)) return { service: 'logs' };
  if (host === METADATA_HOST) return { service: 'metadata' };
  if (chartHosts.includes(host)) return { service: 'charts' };
  const vault = label(host, VAULT_SUFFIX);
  if (vault !== undefined) return { service: 'vault', vault };
  const account = label(host, BLOB_SUFFIX);
  if (account !== undefined) return { service: 'blob', account };
  const region = label(host, ISSUER_SUFFIX);
  return region === undefined ? undefined : { service: 'issuer', region };
}

/** The message for a host that is not served. */
export const refusal = (host: string): string =>
  `'${host}' is not served: this is a local cloud, it reaches nothing outside this machine. ` +
  `It stands in for ${[...SERVED_NAMES.filter((name) => name !== 'localhost'), METADATA_HOST].join(', ')}.`;
