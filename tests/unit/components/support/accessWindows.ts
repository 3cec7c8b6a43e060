import { group, guidOf, ids } from './azure';

const principalId = guidOf('principal');
const identity = { clientId: guidOf('client'), tenantId: ids.tenant, principalId };

/** Arguments of AccessWindows that are accepted, with all of the optional ones. */
export const accessWindowsArguments = {
  AccessWindows: {
    ...{ identity, program: 'x', image: 'node:24', intervalSeconds: 5 },
    resourceManager: 'https://management.azure.com',
    scopes: [
      {
        ...{ name: 'kv/db', scope: `${group}/providers/Microsoft.KeyVault/vaults/kv/secrets/db` },
        readers: [
          {
            ...{ principalId, reader: 'aks-1/orders', role: guidOf('role'), onDemand: '4h' },
            windows: [
              {
                ...{ days: ['Monday'], from: '00:00', to: '01:00', timeZone: 'Europe/Berlin' },
                ...{ validFrom: '2026-12-01', validUntil: '2027-01-01' },
              },
            ],
          },
        ],
      },
    ],
  },
};
