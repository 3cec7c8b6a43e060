import { group, guidOf, ids } from './azure';

const identity = { clientId: guidOf('client'), tenantId: ids.tenant, principalId: guidOf('principal') };

/** Arguments of ConnectionWriter and of its role that are accepted, with all of the optional ones. */
export const connectionWriterArguments = {
  ConnectionWriterRole: {
    ...{ roleName: 'connections of dev', scope: group, furtherScopes: [`${group}-services`] },
  },
  ConnectionWriter: {
    ...{ identity, role: guidOf('role'), program: 'x', image: 'node:24', intervalSeconds: 5 },
    resourceManager: 'https://management.azure.com',
    connections: [
      {
        ...{ name: 'orders/files', kind: 'storageAccount', key: 'secondary', tags: { a: 'b' } },
        serviceId: `${group}/providers/Microsoft.Storage/storageAccounts/storders`,
        template: 'AccountKey={key}',
        secretId: `${group}/providers/Microsoft.KeyVault/vaults/kv/secrets/orders-files`,
      },
    ],
  },
};
