/** Ids that the mocks answer with. */
export const ids = {
  tenant: '11111111-1111-4111-8111-111111111111',
  subscription: '22222222-2222-4222-8222-222222222222',
} as const;

export const group = `/subscriptions/${ids.subscription}/resourceGroups/rg`;
const provider = (type: string, name: string) => `${group}/providers/${type}/${name}`;

type State = Record<string, unknown>;

const text = (value: unknown, otherwise: string) => (typeof value === 'string' ? value : otherwise);

/** What Azure adds to the inputs of a resource of each type. */
const answers: Record<string, (name: string, inputs: State) => { id: string; state: State }> = {
  'azure-native:resources:ResourceGroup': (_, inputs) => {
    const name = text(inputs.resourceGroupName, '');
    return { id: `/subscriptions/${ids.subscription}/resourceGroups/${name}`, state: { name } };
  },
  'azure-native:managedidentity:UserAssignedIdentity': (_, inputs) => {
    const name = text(inputs.resourceName, '');
    return {
      id: provider('Microsoft.ManagedIdentity/userAssignedIdentities', name),
      state: { name, clientId: `client-${name}`, principalId: `principal-${name}`, tenantId: ids.tenant },
    };
  },
  'azure-native:keyvault:Vault': (_, inputs) => {
    const name = text(inputs.vaultName, '');
    const properties = inputs.properties as State;
    return {
      id: provider('Microsoft.KeyVault/vaults', name),
      state: { name, properties: { ...properties, vaultUri: `https://${name}.vault.azure.net/` } },
    };
  },
  'azure-native:containerservice:ManagedCluster': (_, inputs) => {
    const name = text(inputs.resourceName, '');
    return {
      id: provider('Microsoft.ContainerService/managedClusters', name),
      state: {
        name,
        oidcIssuerProfile: { enabled: true, issuerURL: `https://issuer.example/${name}/` },
      },
    };
  },
};

const functions: Record<string, State> = {
  'azure-native:authorization:getClientConfig': {
    tenantId: ids.tenant,
    subscriptionId: ids.subscription,
    clientId: 'client',
    objectId: 'object',
  },
  'azure-native:managedidentity:getUserAssignedIdentity': {
    id: provider('Microsoft.ManagedIdentity/userAssignedIdentities', 'existing'),
    name: 'existing',
    clientId: 'client-existing',
    principalId: 'principal-existing',
    tenantId: ids.tenant,
  },
  'azure-native:keyvault:getVault': {
    id: provider('Microsoft.KeyVault/vaults', 'existing'),
    name: 'existing',
    properties: {
      vaultUri: 'https://existing.vault.azure.net/',
      tenantId: ids.tenant,
      enableRbacAuthorization: true,
    },
  },
  'azure-native:containerservice:listManagedClusterAdminCredentials': {
    kubeconfigs: [{ name: 'clusterAdmin', value: Buffer.from('admin kubeconfig').toString('base64') }],
  },
  'azure-native:containerservice:listManagedClusterUserCredentials': {
    kubeconfigs: [{ name: 'clusterUser', value: Buffer.from('user kubeconfig').toString('base64') }],
  },
};

/** Azure as the mocks play it. */
export const azure = {
  resource(type: string, name: string, inputs: State): { id: string; state: State } {
    const answer = answers[type]?.(name, inputs);
    return { id: answer?.id ?? `${name}-id`, state: { ...inputs, ...answer?.state } };
  },
  call(token: string): State {
    const answer = functions[token];
    if (answer === undefined) throw new Error(`The mocks do not know ${token}.`);
    return answer;
  },
};
