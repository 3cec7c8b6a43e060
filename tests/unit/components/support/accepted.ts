import { accessWindowsArguments } from './accessWindows';
import { group, guidOf, ids } from './azure';
import { connectionWriterArguments } from './connectionWriter';
import { hostedClusterArguments } from './hostedClusters';
import { pipelineIdentityArguments } from './pipelineIdentity';
import { podIdentityArguments } from './podIdentity';

// Arguments as a program without a type checker gives them.
export type Arguments = Record<string, unknown>;

const issuer = 'https://issuer.example/';
const signIn = { clientId: guidOf('client'), tenantId: ids.tenant };
const identityName = 'id-orders';
const principalId = guidOf('principal');
const idOf = (type: string, name: string) => `${group}/providers/${type}/${name}`;
const subnet = idOf('Microsoft.Network/virtualNetworks', 'vnet/subnets/apps');
const workspaceId = idOf('Microsoft.OperationalInsights/workspaces', 'log');
const source = { chart: './chart' };
const account = { namespace: 'orders', serviceAccount: 'orders' };
const trusting = { identityName, resourceGroupName: 'rg' };
const madeDependency = { dependency: 'pg', azureName: 'pg-orders', accessible: true };
const created = { resourceGroupName: 'rg', location: 'westeurope', tags: { a: 'b' }, protect: true };

/** Arguments that are accepted, with as many of the optional ones as can be set together. */
export const accepted: Record<string, Arguments> = {
  ...pipelineIdentityArguments(created),
  ManagedIdentity: { create: { ...created, identityName, retainOnDelete: false } },
  FederatedCredentials: {
    ...{ identity: trusting, issuer, audience: 'a', importedNames: { 'x/orders_orders': 'by-hand' } },
    subjects: [{ ...account, audience: 'openshift' }],
  },
  IdentityBinding: {
    ...{ clusterId: `${group}/providers/Microsoft.ContainerService/managedClusters/aks-1` },
    ...{
      bindingName: 'idx',
      roleName: 'use-id-x',
      serviceAccounts: [{ ...account, namespace: 'z' }, account],
    },
    identity: {
      id: `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id-x`,
      clientId: guidOf('client'),
    },
  },
  ServicePrincipalIdentity: {
    ...{ displayName: 'id-x', tags: ['a'], retainOnDelete: false, issuer },
    subjects: [{ ...account, audience: 'openshift' }],
  },
  ...hostedClusterArguments,
  ...accessWindowsArguments,
  RoleGrants: {
    ...{ principalId: guidOf('principal'), isGroup: true },
    roles: [{ role: guidOf('role'), scope: group }],
    importedAssignments: { [`x-name/${guidOf('role')}${group}`]: guidOf('imported') },
  },
  ...connectionWriterArguments,
  EntraGroup: {
    create: { displayName: 'sg-x', description: 'of the test', retainOnDelete: false },
    members: [{ name: 'orders', principalId }],
  },
  LogWorkspace: {
    create: { ...created, workspaceName: 'log-x', retentionInDays: 30, retainOnDelete: false },
  },
  KeyVault: {
    create: {
      ...{ ...created, vaultName: 'kv-x', tenantId: ids.tenant, retainOnDelete: false },
      ...{ softDeleteRetentionInDays: 7, purgeProtection: false, publicAccess: true },
      firewall: { allowedIpRanges: ['203.0.113.7'], allowedSubnets: [subnet], trustedServices: true },
      privateEndpoints: [{ subnet, privateDnsZone: idOf('Microsoft.Network/privateDnsZones', 'zone') }],
      logs: { workspaceId },
    },
    ...{
      access: 'rbac',
      secrets: { db: 'x' },
      keptSecrets: { files: 'x' },
      secretTags: { a: 'b' },
      lock: true,
    },
    grants: [{ grantee: 'orders', principalId, isGroup: true, secrets: ['db'] }],
    importedAssignments: { 'x/orders/db': guidOf('assignment') },
  },
  WorkloadIdentityCluster: {
    create: {
      ...{ ...created, clusterName: 'aks_x', kubernetesVersion: '1.35', tier: 'Free', retainOnDelete: false },
      ...{ nodes: { count: 1, vmSize: 'Standard_D4ds_v5' }, administratorGroups: [guidOf('group')] },
      ...{ authorizedIpRanges: ['203.0.113.0/24'], secretsStore: true, podIdentity: true },
      logs: { workspaceId },
    },
  },
  CertManager: { source, replicaCount: 2 },
  ...podIdentityArguments(source),
  WorkloadIdentityWebhook: { tenantId: ids.tenant, replicaCount: 2, source },
  ServiceOperator: {
    ...{ identity: signIn, subscriptionId: ids.subscription, crdPattern: 'a/*', furtherPatterns: ['b/*'] },
    ...{ replicaCount: 2, source: { ...source, repository: 'https://charts', version: '1' } },
    cloud: { authorityHost: 'a', resourceManagerEndpoint: 'b', resourceManagerAudience: 'c' },
    kubeconfig: 'kubeconfig',
    selfReading: {
      identity: { id: idOf('Microsoft.ManagedIdentity/userAssignedIdentities', 'id'), clientId: guidOf('a') },
      ...{ location: 'westeurope', right: 'right' },
    },
  },
  ProvisioningCredential: { namespace: 'orders', identity: signIn, subscriptionId: ids.subscription },
  AzureDependency: {
    ...{ application: 'orders', dependency: 'pg', namespace: 'orders', location: 'westeurope' },
    service: {
      postgresql: {
        ...{ name: 'pg-orders', version: '17', sku: 'Standard_B1ms', storageGb: 32, database: 'orders' },
        allowedIpRanges: ['203.0.113.7'],
      },
    },
    group: { id: group, name: 'rg' },
    cluster: { name: 'aks-1', issuer, kubeconfig: 'kubeconfig' },
    identity: { identityName, principalId, tenantId: ids.tenant },
    ...{
      accounts: [account],
      connection: 'identity',
      connectionVault: 'kv-x',
      manages: true,
      retainOnDelete: false,
    },
    ...{ tags: { a: 'b' }, grantedAt: '2026-01-02T03:04:05Z' },
    suffixes: { storage: 'core.windows.net', redis: 'redis.x', serviceBus: 'servicebus.x' },
  },
  Workload: {
    image: { reference: 'reader:1', replicas: 0, port: 80, env: { A: 'b' } },
    ...{ application: 'orders', namespace: 'orders', serviceAccount: 'a', existingServiceAccount: true },
    ...{ furtherServiceAccounts: ['b'], identity: signIn, delivery: 'files' },
    ...{ audience: 'api://AzureADTokenExchange', kubeconfig: 'kubeconfig' },
    vault: { name: 'kv-a', uri: 'https://kv-a', cloudName: 'a', secretNames: ['db'] },
    dependencies: [{ ...madeDependency, values: [{ from: 'configMap', name: 'a', key: 'b' }] }],
  },
};
