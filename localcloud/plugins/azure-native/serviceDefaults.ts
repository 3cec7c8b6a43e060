import type { Value } from '../protocol';

// The service's values for omitted inputs. Sources: observed answers, and the `default`s in the API's specifications,
// some of which the npm package itself writes into inputs (`…ArgsProvideDefaults` in types/input.js).

type Defaults = Readonly<Record<string, Value>>;

export const noTags: Defaults = { tags: {} };

export const vaultDefaults: Defaults = {
  ...noTags,
  'properties.sku.family': 'A',
  'properties.enableRbacAuthorization': false,
  'properties.enableSoftDelete': true,
  'properties.softDeleteRetentionInDays': 90,
  'properties.enabledForDeployment': false,
  'properties.enabledForDiskEncryption': false,
  'properties.enabledForTemplateDeployment': false,
  'properties.publicNetworkAccess': 'Enabled',
  'properties.networkAcls.ipRules': [],
  'properties.networkAcls.virtualNetworkRules': [],
  'properties.networkAcls.virtualNetworkRules[].ignoreMissingVnetServiceEndpoint': false,
};

export const clusterDefaults: Defaults = {
  ...noTags,
  kind: 'Base',
  sku: { name: 'Base', tier: 'Free' },
  'sku.name': 'Base',
  'sku.tier': 'Free',
  enableRBAC: true,
  supportPlan: 'KubernetesOfficial',
  oidcIssuerProfile: { enabled: false },
  'agentPoolProfiles[].count': 1,
  'agentPoolProfiles[].osDiskSizeGB': 128,
  'agentPoolProfiles[].osDiskType': 'Managed',
  'agentPoolProfiles[].osType': 'Linux',
  'agentPoolProfiles[].osSKU': 'Ubuntu',
  'agentPoolProfiles[].maxPods': 250,
  'agentPoolProfiles[].type': 'VirtualMachineScaleSets',
  'agentPoolProfiles[].enableFIPS': false,
};

export const workspaceDefaults: Defaults = {
  ...noTags,
  sku: { name: 'PerGB2018' },
  'sku.name': 'PerGB2018',
  retentionInDays: 30,
  features: { enableLogAccessUsingOnlyResourcePermissions: true },
  'features.enableLogAccessUsingOnlyResourcePermissions': true,
  workspaceCapping: { dailyQuotaGb: -1 },
  publicNetworkAccessForIngestion: 'Enabled',
  publicNetworkAccessForQuery: 'Enabled',
};

export const roleDefaults: Defaults = {
  description: '',
  roleType: 'CustomRole',
  'permissions[].actions': [],
  'permissions[].notActions': [],
  'permissions[].dataActions': [],
  'permissions[].notDataActions': [],
};

/** Members of a connection that are not below `properties` in the API. */
const connection = ['id', 'name'];

export const endpointNested = {
  'privateLinkServiceConnections[]': connection,
  'manualPrivateLinkServiceConnections[]': connection,
  'ipConfigurations[]': ['name'],
  subnet: ['id', 'name'],
};

export const endpointDefaults: Defaults = {
  ...noTags,
  customNetworkInterfaceName: '',
  customDnsConfigs: [],
  ipConfigurations: [],
  applicationSecurityGroups: [],
  privateLinkServiceConnections: [],
  manualPrivateLinkServiceConnections: [],
  'subnet.privateEndpointNetworkPolicies': 'Disabled',
  'subnet.privateLinkServiceNetworkPolicies': 'Enabled',
};

export const endpointChosen = [
  'id',
  'privateLinkServiceConnections[].id',
  'privateLinkServiceConnections[].privateLinkServiceConnectionState',
  'manualPrivateLinkServiceConnections[].id',
  'manualPrivateLinkServiceConnections[].privateLinkServiceConnectionState',
];
