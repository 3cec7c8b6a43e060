/** Addresses of the resource manager, by the names of clouds that azure-native is told. */
export const resourceManagers: Readonly<Record<string, string>> = {
  public: 'https://management.azure.com',
  usgovernment: 'https://management.usgovcloudapi.net',
  china: 'https://management.chinacloudapi.cn',
};
