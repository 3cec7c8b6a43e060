/** Resource ids as a stack file names what is there already. */
export const otherSubscription = '55555555-5555-4555-8555-555555555555';
export const ownSubscription = '22222222-2222-4222-8222-222222222222';

export const groupId = (name: string, subscription = otherSubscription) =>
  `/subscriptions/${subscription}/resourceGroups/${name}`;
const id = (type: string) => (name: string, subscription?: string) =>
  `${groupId('rg-there', subscription)}/providers/${type}/${name}`;

export const identityId = id('Microsoft.ManagedIdentity/userAssignedIdentities');
export const vaultId = id('Microsoft.KeyVault/vaults');
export const clusterId = id('Microsoft.ContainerService/managedClusters');
export const workspaceId = id('Microsoft.OperationalInsights/workspaces');
export const subnetId = (name: string, subscription?: string) =>
  `${id('Microsoft.Network/virtualNetworks')('vnet', subscription)}/subnets/${name}`;

const network = `${groupId('net', ownSubscription)}/providers/Microsoft.Network`;

/** A hosted cluster that signs in with certificates, as a stack file has it. */
export const hostedCluster = {
  ...{ name: 'hc1', managementCluster: 'aks-1', issuer: 'https://issuer.example/hc1' },
  resourceGroup: groupId('hc1', ownSubscription),
  subnet: `${network}/virtualNetworks/vnet/subnets/nodes`,
  securityGroup: `${network}/networkSecurityGroups/nsg`,
};
