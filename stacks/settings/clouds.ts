/** Where the service operator signs in and what it asks. */
export interface OperatorCloud {
  readonly authorityHost: string;
  readonly resourceManagerEndpoint: string;
  readonly resourceManagerAudience: string;
}

/** The cloud that is deployed to. */
export interface Cloud {
  /** As it was named. */
  readonly name: string;
  /** Address of its resource manager; undefined of a cloud that is not known here. */
  readonly resourceManager?: string;
  /** What addresses of storage end with. */
  readonly storageSuffix: string;
  /** What the service operator has to be told of it; undefined of the public cloud, which it takes by itself. */
  readonly operator?: OperatorCloud;
  /** Name for the Secrets Store driver's Azure provider, under the same condition. */
  readonly secretsStore?: string;
}

/**
 * By the names that azure-native has for them. Storage: azure-cli, cloud.py, suffixes.storage_endpoint. Operator:
 * Azure/azure-sdk-for-go sdk/azcore, cloud and arm/runtime. Secrets Store: Azure/go-autorest autorest/azure/environments.go.
 */
const clouds: Readonly<Record<string, Omit<Cloud, 'name'>>> = {
  public: { resourceManager: 'https://management.azure.com', storageSuffix: 'core.windows.net' },
  usgovernment: {
    resourceManager: 'https://management.usgovcloudapi.net',
    storageSuffix: 'core.usgovcloudapi.net',
    operator: {
      authorityHost: 'https://login.microsoftonline.us/',
      resourceManagerEndpoint: 'https://management.usgovcloudapi.net',
      resourceManagerAudience: 'https://management.core.usgovcloudapi.net/',
    },
    secretsStore: 'AzureUSGovernmentCloud',
  },
  china: {
    resourceManager: 'https://management.chinacloudapi.cn',
    storageSuffix: 'core.chinacloudapi.cn',
    operator: {
      authorityHost: 'https://login.chinacloudapi.cn/',
      resourceManagerEndpoint: 'https://management.chinacloudapi.cn',
      resourceManagerAudience: 'https://management.core.chinacloudapi.cn/',
    },
    secretsStore: 'AzureChinaCloud',
  },
};

/** Names of the clouds that are known here. */
export const cloudNames = Object.keys(clouds);

/** The cloud of a name, as azure-native has it or as Azure's tools do (`AzureCloud`, `AzureChinaCloud`). */
export function cloudOf(name: string): Cloud {
  const known = clouds[name.toLowerCase().replace(/^azure|cloud$/g, '') || 'public'];
  return { storageSuffix: 'core.windows.net', ...known, name };
}
