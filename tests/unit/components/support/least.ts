import { accepted, type Arguments } from './accepted';
import { group, guidOf, ids } from './azure';

const create = { resourceGroupName: 'rg' };
const identity = { clientId: guidOf('client'), tenantId: ids.tenant };
const only = (type: string, ...keys: readonly string[]) =>
  Object.fromEntries(keys.map((key) => [key, accepted[type]?.[key]]));
const subjects = [{ namespace: 'orders', serviceAccount: 'orders' }];
const vault = { name: 'kv-a', uri: 'https://kv-a', secretNames: ['db'] };

/** The least arguments that each component accepts. */
export const least: Readonly<Record<string, Arguments>> = {
  PipelineIdentity: {
    create,
    trusts: [{ name: 'github', gitHub: { repository: 'contoso/identities' } }],
    resourceGroups: [{ name: 'rg', id: group }],
  },
  ManagedIdentity: { create },
  FederatedCredentials: {
    identity: { identityName: 'id-orders', ...create },
    issuer: 'https://issuer.example/',
    subjects,
  },
  IdentityBinding: {
    ...{ clusterId: `${group}/providers/Microsoft.ContainerService/managedClusters/aks-1` },
    ...{ bindingName: 'idorders', roleName: 'use-id-orders', serviceAccounts: subjects },
    identity: {
      id: `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id-orders`,
      clientId: guidOf('client'),
    },
  },
  ServicePrincipalIdentity: { issuer: 'https://issuer.example/', subjects },
  CertificateIdentity: { certificates: [{ name: '2026-11-01', validityHours: 2160 }] },
  HostedClusterIdentities: {
    ...only('HostedClusterIdentities', 'hostedCluster', 'issuer', 'resourceGroupName'),
    components: [{ component: 'disk' }],
    scopes: accepted.HostedClusterIdentities?.scopes,
  },
  HyperShiftOperator: only('HyperShiftOperator', 'objects', 'readerClientId'),
  HostedCluster: { hostedCluster: 'hc1', namespace: 'clusters', spec: {} },
  AccessWindows: only('AccessWindows', 'identity', 'program', 'scopes'),
  ConnectionWriter: only('ConnectionWriter', 'identity', 'role', 'program', 'connections'),
  ConnectionWriterRole: only('ConnectionWriterRole', 'roleName', 'scope'),
  EntraGroup: { create: {} },
  RoleGrants: { principalId: guidOf('principal'), roles: [{ role: guidOf('role'), scope: group }] },
  LogWorkspace: { create },
  KeyVault: {
    ...{
      create: { ...create, vaultName: 'kv-x', tenantId: ids.tenant },
      access: 'accessPolicy',
      secrets: { db: 'x' },
    },
    grants: [{ grantee: 'orders', principalId: guidOf('principal'), secrets: ['db'] }],
  },
  WorkloadIdentityCluster: { create },
  CertManager: {},
  PodIdentity: only('PodIdentity', 'clusterId'),
  PodIdentityBinding: only('PodIdentityBinding', 'application', 'identity', 'namespace'),
  TokenEvents: only('TokenEvents', 'program'),
  WorkloadIdentityWebhook: { tenantId: ids.tenant },
  ServiceOperator: { identity, subscriptionId: ids.subscription, kubeconfig: 'kubeconfig' },
  ProvisioningCredential: only('ProvisioningCredential', 'namespace', 'identity', 'subscriptionId'),
  AzureDependency: {
    ...only('AzureDependency', 'application', 'namespace', 'location', 'group', 'cluster', 'identity'),
    ...{
      dependency: 'files',
      service: { storageAccount: { name: 'stfiles', sku: 'Standard_LRS', data: ['blobs'] } },
    },
  },
  Workload: { application: 'orders', namespace: 'orders', identity, vault, image: { reference: 'reader:1' } },
};
