/** Endpoints of one of Azure's clouds. */
export interface Cloud {
  authorityHost: string;
  resourceManager: string;
  /** Token scope of the resource manager. */
  resourceManagerScope: string;
  /** Vaults are at `https://<name>.<suffix>`. */
  vaultSuffix: string;
}

const clouds: Record<string, Cloud> = {
  public: {
    authorityHost: 'https://login.microsoftonline.com',
    resourceManager: 'https://management.azure.com',
    resourceManagerScope: 'https://management.azure.com/.default',
    vaultSuffix: 'vault.azure.net',
  },
  usgovernment: {
    authorityHost: 'https://login.microsoftonline.us',
    resourceManager: 'https://management.usgovcloudapi.net',
    resourceManagerScope: 'https://management.usgovcloudapi.net/.default',
    vaultSuffix: 'vault.usgovcloudapi.net',
  },
  china: {
    authorityHost: 'https://login.chinacloudapi.cn',
    resourceManager: 'https://management.chinacloudapi.cn',
    resourceManagerScope: 'https://management.chinacloudapi.cn/.default',
    vaultSuffix: 'vault.azure.cn',
  },
};

export const cloudNames: readonly string[] = Object.keys(clouds);

/** Returns the cloud with one of {@link cloudNames}, in any spelling of Azure's tools; undefined for another name. */
export function cloudNamed(name: string): Cloud | undefined {
  return clouds[
    name
      .toLowerCase()
      .replace(/^azure/, '')
      .replace(/cloud$/, '')
  ];
}
