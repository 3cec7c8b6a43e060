/** Addresses of the resource manager, by the names of clouds that azure-native is told. */
export const resourceManagers: Readonly<Record<string, string>> = {
  public: 'https://management.azure.com',
  usgovernment: 'https://management.usgovcloudapi.net',
  china: 'https://management.chinacloudapi.cn',
};

/** Where the service operator signs in and what it asks, in clouds other than the public one, which it takes by itself. */
export interface OperatorCloud {
  readonly authorityHost: string;
  readonly resourceManagerEndpoint: string;
  readonly resourceManagerAudience: string;
}

/** By the same names (Azure/azure-sdk-for-go sdk/azcore: cloud, and arm/runtime for the audiences). */
const operatorClouds: Readonly<Record<string, OperatorCloud>> = {
  usgovernment: {
    authorityHost: 'https://login.microsoftonline.us/',
    resourceManagerEndpoint: 'https://management.usgovcloudapi.net',
    resourceManagerAudience: 'https://management.core.usgovcloudapi.net/',
  },
  china: {
    authorityHost: 'https://login.chinacloudapi.cn/',
    resourceManagerEndpoint: 'https://management.chinacloudapi.cn',
    resourceManagerAudience: 'https://management.core.chinacloudapi.cn/',
  },
};

/** What the service operator is told of a cloud; undefined of the public one. */
export function operatorCloudOf(cloud: string): OperatorCloud | undefined {
  return operatorClouds[cloudName(cloud)];
}

/** What addresses of storage end with, by the same names (azure-cli, cloud.py, suffixes.storage_endpoint). */
const storageSuffixes: Readonly<Record<string, string>> = {
  public: 'core.windows.net',
  usgovernment: 'core.usgovcloudapi.net',
  china: 'core.chinacloudapi.cn',
};

/**
 * What the Secrets Store driver's Azure provider is told of clouds other than the public one, which it takes by itself
 * (Azure/go-autorest autorest/azure/environments.go, by whose names the provider looks).
 */
export const secretsStoreClouds: Readonly<Record<string, string>> = {
  usgovernment: 'AzureUSGovernmentCloud',
  china: 'AzureChinaCloud',
};

/** Name of a cloud as azure-native has it: Azure's tools say `AzureCloud` and `AzureChinaCloud`. */
export function cloudName(given: string): string {
  return given.toLowerCase().replace(/^azure|cloud$/g, '') || 'public';
}

/** What addresses of storage end with in a cloud; of one that is not known, as in the public one. */
export function storageSuffixOf(cloud: string): string {
  return storageSuffixes[cloudName(cloud)] ?? 'core.windows.net';
}
