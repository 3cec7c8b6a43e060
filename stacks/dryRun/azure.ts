import { createHash } from 'node:crypto';
import { identityBindingType } from '../../components/identity/bindingNames';

// Azure in a run without an engine: generated ids and addresses are deterministic.

/** Derives a GUID from a name. */
export function guidOf(name: string): string {
  const digits = createHash('sha256').update(name).digest('hex');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}

/** Tenant and subscription that are deployed to by default. */
export const ids = {
  tenant: '11111111-1111-4111-8111-111111111111',
  subscription: '22222222-2222-4222-8222-222222222222',
} as const;

type State = Record<string, unknown>;

const stringOr = (value: unknown, fallback: string) => (typeof value === 'string' ? value : fallback);

/** Returns the id of a new resource in its resource group. */
const newId = (type: string, name: string, { resourceGroupName }: State) =>
  `/subscriptions/${ids.subscription}/resourceGroups/${stringOr(resourceGroupName, 'rg')}/providers/${type}/${name}`;

/** The ids and outputs that Azure adds to the inputs, by type. */
const answers: Record<string, (name: string, inputs: State) => { id: string; state: State }> = {
  'azure-native:resources:ResourceGroup': (_, inputs) => {
    const name = stringOr(inputs.resourceGroupName, '');
    return { id: `/subscriptions/${ids.subscription}/resourceGroups/${name}`, state: { name } };
  },
  'azure-native:managedidentity:UserAssignedIdentity': (_, inputs) => {
    const name = stringOr(inputs.resourceName, '');
    return {
      id: newId('Microsoft.ManagedIdentity/userAssignedIdentities', name, inputs),
      state: {
        name,
        clientId: guidOf(`client-${name}`),
        principalId: guidOf(`principal-${name}`),
        tenantId: ids.tenant,
      },
    };
  },
  'azure-native:keyvault:Vault': (_, inputs) => {
    const name = stringOr(inputs.vaultName, '');
    const properties = inputs.properties as State;
    return {
      id: newId('Microsoft.KeyVault/vaults', name, inputs),
      state: { name, properties: { ...properties, vaultUri: `https://${name}.vault.azure.net/` } },
    };
  },
  // A namespace that is read has no inputs for its metadata.
  'kubernetes:core/v1:Namespace': (name, inputs) => ({
    id: `${name}-id`,
    state: { metadata: { name: name.split('/').at(-1) }, ...inputs },
  }),
  'kubernetes:helm.sh/v3:Release': (name) => ({
    id: `${name}-id`,
    state: { status: { status: 'deployed' }, resourceNames: {} },
  }),
  // Kubernetes generates a name if there is none.
  'kubernetes:core/v1:ConfigMap': (name, inputs) => ({
    id: `${name}-id`,
    state: { metadata: { name: `${name}-made-up`, ...(inputs.metadata as State) } },
  }),
  'azure-native:operationalinsights:Workspace': (_, inputs) => {
    const name = stringOr(inputs.workspaceName, '');
    return { id: newId('Microsoft.OperationalInsights/workspaces', name, inputs), state: { name } };
  },
  'azuread:index/application:Application': (_, inputs) => {
    const name = stringOr(inputs.displayName, '');
    return {
      id: `/applications/${guidOf(`application-${name}`)}`,
      state: { clientId: guidOf(`client-${name}`) },
    };
  },
  'azuread:index/group:Group': (_, inputs) => {
    const objectId = guidOf(`group-${stringOr(inputs.displayName, '')}`);
    return { id: `/groups/${objectId}`, state: { objectId } };
  },
  'azuread:index/servicePrincipal:ServicePrincipal': (name) => ({
    id: `/servicePrincipals/${guidOf(name)}`,
    state: { objectId: guidOf(`principal-${name}`), applicationTenantId: ids.tenant },
  }),
  'azuread:index/applicationCertificate:ApplicationCertificate': (name) => ({
    id: `${name}-id`,
    state: { keyId: guidOf(name) },
  }),
  'azuread:index/applicationPassword:ApplicationPassword': (name) => ({
    id: `${name}-id`,
    state: { keyId: guidOf(name), value: `password of ${name}` },
  }),
  'tls:index/privateKey:PrivateKey': (name) => ({
    id: `${name}-id`,
    state: { privateKeyPem: `rsa key of ${name}\n`, privateKeyPemPkcs8: `key of ${name}\n` },
  }),
  'tls:index/selfSignedCert:SelfSignedCert': (name) => ({
    id: `${name}-id`,
    state: {
      certPem: `certificate ${name}\n`,
      validityStartTime: '2026-11-01T08:00:00Z',
      validityEndTime: '2027-01-30T08:00:00Z',
    },
  }),
  [identityBindingType]: (_, inputs) => ({
    id: `${newId('Microsoft.ContainerService/managedClusters', stringOr(inputs.resourceName, ''), inputs)}/identityBindings/${stringOr(inputs.identityBindingName, '')}`,
    state: {},
  }),
  'azure-native:containerservice:ManagedCluster': (_, inputs) => {
    const name = stringOr(inputs.resourceName, '');
    return {
      id: newId('Microsoft.ContainerService/managedClusters', name, inputs),
      state: {
        name,
        oidcIssuerProfile: { enabled: true, issuerURL: `https://issuer.example/${name}/` },
      },
    };
  },
};

/** A call of a provider function. */
interface FunctionCall {
  readonly inputs: State;
  /** Subscription of the explicit provider. Default: the one that is deployed to. */
  readonly subscriptionId: string;
}

/** Returns the id of the resource that a function reads. */
function idOf({ inputs, subscriptionId }: FunctionCall, type: string, name: unknown): string {
  return `/subscriptions/${subscriptionId}/resourceGroups/${stringOr(inputs.resourceGroupName, '')}/providers/${type}/${stringOr(name, '')}`;
}

const kubeconfigOf = (user: string, { resourceName }: State) =>
  Buffer.from(`${user} kubeconfig of ${stringOr(resourceName, '')}`).toString('base64');

const functions: Record<string, (call: FunctionCall) => State> = {
  // Nothing is deployed yet.
  'pulumi:pulumi:readStackResourceOutputs': () => ({ outputs: {} }),
  'azure-native:authorization:getClientConfig': ({ subscriptionId }) => ({
    tenantId: ids.tenant,
    subscriptionId,
    clientId: 'client',
    objectId: 'object',
  }),
  'azuread:index/getClientConfig:getClientConfig': () => ({
    ...{ tenantId: ids.tenant, clientId: 'client', objectId: guidOf('deployer') },
  }),
  'azuread:index/getGroup:getGroup': ({ inputs }) => ({
    ...{ objectId: inputs.objectId, displayName: 'existing', securityEnabled: true },
    ...{ types: [], members: [], onpremisesSyncEnabled: false },
  }),
  'azure-native:network:getSubnet': (call) => ({
    id: `${idOf(call, 'Microsoft.Network/virtualNetworks', call.inputs.virtualNetworkName)}/subnets/${stringOr(call.inputs.subnetName, '')}`,
  }),
  'azure-native:network:getNetworkSecurityGroup': (call) => ({
    id: idOf(call, 'Microsoft.Network/networkSecurityGroups', call.inputs.networkSecurityGroupName),
  }),
  'azure-native:dns:getZone': (call) => ({
    id: idOf(call, 'Microsoft.Network/dnsZones', call.inputs.zoneName),
  }),
  'azure-native:resources:getResourceGroup': ({ inputs, subscriptionId }) => ({
    id: `/subscriptions/${subscriptionId}/resourceGroups/${stringOr(inputs.resourceGroupName, '')}`,
    name: inputs.resourceGroupName,
    location: 'northeurope',
  }),
  'azure-native:operationalinsights:getWorkspace': (call) => ({
    id: idOf(call, 'Microsoft.OperationalInsights/workspaces', call.inputs.workspaceName),
    name: call.inputs.workspaceName,
  }),
  'azure-native:managedidentity:getUserAssignedIdentity': (call) => ({
    id: idOf(call, 'Microsoft.ManagedIdentity/userAssignedIdentities', call.inputs.resourceName),
    name: call.inputs.resourceName,
    clientId: guidOf(`client-${stringOr(call.inputs.resourceName, '')}`),
    principalId: guidOf(`principal-${stringOr(call.inputs.resourceName, '')}`),
    tenantId: ids.tenant,
  }),
  'azure-native:keyvault:getVault': (call) => ({
    id: idOf(call, 'Microsoft.KeyVault/vaults', call.inputs.vaultName),
    name: call.inputs.vaultName,
    properties: {
      vaultUri: `https://${stringOr(call.inputs.vaultName, '')}.vault.azure.net/`,
      tenantId: ids.tenant,
      enableRbacAuthorization: true,
    },
  }),
  'azure-native:keyvault:getSecret': (call) => ({
    id: `${idOf(call, 'Microsoft.KeyVault/vaults', call.inputs.vaultName)}/secrets/${stringOr(call.inputs.secretName, '')}`,
    name: call.inputs.secretName,
  }),
  'azure-native:storage:getStorageAccount': () => ({}),
  'azure-native:servicebus:getNamespace': () => ({}),
  'azure-native:redis:listRedisKeys': () => ({ primaryKey: 'k1', secondaryKey: 'k2' }),
  'azure-native:servicebus:listNamespaceKeys': () => ({ primaryKey: 'k1', secondaryKey: 'k2' }),
  'azure-native:storage:listStorageAccountKeys': () => ({
    keys: [
      { keyName: 'key1', value: 'k1' },
      { keyName: 'key2', value: 'k2' },
    ],
  }),
  'azure-native:containerservice:getManagedCluster': (call) => ({
    id: idOf(call, 'Microsoft.ContainerService/managedClusters', call.inputs.resourceName),
    name: call.inputs.resourceName,
    oidcIssuerProfile: {
      enabled: true,
      issuerURL: `https://issuer.example/${stringOr(call.inputs.resourceName, '')}/`,
    },
    securityProfile: { workloadIdentity: { enabled: true } },
    disableLocalAccounts: false,
    nodeResourceGroup: `MC_${stringOr(call.inputs.resourceName, '')}`,
    identityProfile: {
      kubeletidentity: { objectId: guidOf(`kubelet-${stringOr(call.inputs.resourceName, '')}`) },
    },
    addonProfiles: {
      azureKeyvaultSecretsProvider: {
        identity: {
          clientId: guidOf(`client-driver-${stringOr(call.inputs.resourceName, '')}`),
          objectId: guidOf(`principal-driver-${stringOr(call.inputs.resourceName, '')}`),
        },
      },
    },
  }),
  'azure-native:containerservice:listManagedClusterAdminCredentials': ({ inputs }) => ({
    kubeconfigs: [{ name: 'clusterAdmin', value: kubeconfigOf('admin', inputs) }],
  }),
  'azure-native:containerservice:listManagedClusterUserCredentials': ({ inputs }) => ({
    kubeconfigs: [{ name: 'clusterUser', value: kubeconfigOf('user', inputs) }],
  }),
};

/** The answers of Azure in a run without an engine. */
export const azure = {
  resource(type: string, name: string, inputs: State): { id: string; state: State } {
    const answer = answers[type]?.(name, inputs);
    return { id: answer?.id ?? `${name}-id`, state: { ...inputs, ...answer?.state } };
  },
  call(token: string, inputs: State, provider = ''): State {
    const answer = functions[token];
    if (answer === undefined) throw new Error(`A run without an engine has no answer to ${token}.`);
    const subscriptionId = /::subscription-([0-9a-f-]{36})::/.exec(provider)?.[1] ?? ids.subscription;
    return answer({ inputs, subscriptionId });
  },
};
