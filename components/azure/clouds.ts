/** Suffixes of the addresses of services in a cloud. */
export interface ServiceSuffixes {
  /** Suffix of storage accounts, after the name of the data service: `core.windows.net`. */
  readonly storage: string;
  /** Suffix of Redis caches: `redis.cache.windows.net`. */
  readonly redis: string;
  /** Suffix of Service Bus namespaces: `servicebus.windows.net`. */
  readonly serviceBus: string;
}

/** Addresses that Azure Service Operator needs in a cloud other than the public one. */
interface OperatorCloud {
  readonly authorityHost: string;
  readonly resourceManagerEndpoint: string;
  readonly resourceManagerAudience: string;
}

/** The target cloud. */
export interface Cloud {
  /** Its configured name. */
  readonly name: string;
  /** Address of its resource manager; undefined for a cloud that is not in the table below. */
  readonly resourceManager?: string;
  /** Address of Microsoft Graph; undefined for a cloud that is not in the table below. */
  readonly graph?: string;
  /** Address of Log Analytics' query service; undefined for a cloud that is not in the table below. */
  readonly logs?: string;
  /** Suffixes of the addresses of services. */
  readonly suffixes: ServiceSuffixes;
  /** Name of the private DNS zone of vaults; undefined for a cloud that is not in the table below. */
  readonly vaultZone?: string;
  /** Addresses for the operator; undefined for the public cloud, which is its default. */
  readonly operator?: OperatorCloud;
  /** Name of the cloud for the Secrets Store driver's Azure provider; undefined for the public cloud, its default. */
  readonly secretsStore?: string;
}

/** Suffixes of the public cloud, also used for clouds that are not in the table below. */
export const publicSuffixes: ServiceSuffixes = {
  storage: 'core.windows.net',
  redis: 'redis.cache.windows.net',
  serviceBus: 'servicebus.windows.net',
};

/**
 * Clouds by azure-native's names. Sources: for storage azure-cli, cloud.py, suffixes.storage_endpoint; for zones and the
 * suffixes of Redis and Service Bus azure-docs articles/private-link/private-endpoint-dns.md; for Graph
 * microsoft-graph-docs concepts/deployments.md; for logs azure-docs
 * articles/azure-government/compare-azure-government-global-azure.md and the README.md of `@azure/monitor-query-logs`; for
 * the operator Azure/azure-sdk-for-go sdk/azcore, cloud and arm/runtime; for the Secrets Store Azure/go-autorest
 * autorest/azure/environments.go.
 */
const clouds: Readonly<Record<string, Omit<Cloud, 'name'>>> = {
  public: {
    resourceManager: 'https://management.azure.com',
    graph: 'https://graph.microsoft.com',
    logs: 'https://api.loganalytics.io',
    suffixes: publicSuffixes,
    vaultZone: 'privatelink.vaultcore.azure.net',
  },
  usgovernment: {
    resourceManager: 'https://management.usgovcloudapi.net',
    graph: 'https://graph.microsoft.us',
    logs: 'https://api.loganalytics.us',
    suffixes: {
      storage: 'core.usgovcloudapi.net',
      redis: 'redis.cache.usgovcloudapi.net',
      serviceBus: 'servicebus.usgovcloudapi.net',
    },
    vaultZone: 'privatelink.vaultcore.usgovcloudapi.net',
    operator: {
      authorityHost: 'https://login.microsoftonline.us/',
      resourceManagerEndpoint: 'https://management.usgovcloudapi.net',
      resourceManagerAudience: 'https://management.core.usgovcloudapi.net/',
    },
    secretsStore: 'AzureUSGovernmentCloud',
  },
  china: {
    resourceManager: 'https://management.chinacloudapi.cn',
    graph: 'https://microsoftgraph.chinacloudapi.cn',
    logs: 'https://api.loganalytics.azure.cn',
    suffixes: {
      storage: 'core.chinacloudapi.cn',
      redis: 'redis.cache.chinacloudapi.cn',
      serviceBus: 'servicebus.chinacloudapi.cn',
    },
    vaultZone: 'privatelink.vaultcore.azure.cn',
    operator: {
      authorityHost: 'https://login.chinacloudapi.cn/',
      resourceManagerEndpoint: 'https://management.chinacloudapi.cn',
      resourceManagerAudience: 'https://management.core.chinacloudapi.cn/',
    },
    secretsStore: 'AzureChinaCloud',
  },
};

/** Names of the clouds in the table. */
export const cloudNames = Object.keys(clouds);

/** Names of the private DNS zones of vaults in all clouds of the table. */
export const vaultZones = Object.values(clouds).flatMap(({ vaultZone }) => vaultZone ?? []);

/** Returns the cloud with a name of azure-native or of Azure's tools (`AzureCloud`, `AzureChinaCloud`). */
export function cloudOf(name: string): Cloud {
  const known = clouds[name.toLowerCase().replace(/^azure|cloud$/g, '') || 'public'];
  return { suffixes: publicSuffixes, ...known, name };
}

/**
 * Returns the target cloud.
 * @param configured `azure-native:environment` of the stack; without it, ARM_ENVIRONMENT or AZURE_ENVIRONMENT applies
 */
export function currentCloud(configured: string | undefined, env: NodeJS.ProcessEnv): Cloud {
  return cloudOf([configured, env.ARM_ENVIRONMENT, env.AZURE_ENVIRONMENT].find(Boolean) ?? 'public');
}
