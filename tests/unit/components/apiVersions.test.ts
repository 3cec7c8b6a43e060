import { apiVersions } from '../../../components/azure/resourceManager';
import { apiVersionsOf } from '../../../localcloud/azure/arm/apiVersions';
import { CHANGES } from '../../../localcloud/azure/arm/versionChanges';

const VAULT = 'Microsoft.KeyVault/vaults';

describe('what changed between api-versions', () => {
  it.each([
    [VAULT, apiVersions.vaults],
    [`${VAULT}/secrets`, apiVersions.vaults],
    ['Microsoft.ManagedIdentity/userAssignedIdentities', apiVersions.identities],
    ['Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials', apiVersions.identities],
    ['Microsoft.Authorization/roleAssignments', apiVersions.assignments],
    ['Microsoft.ContainerService/managedClusters', apiVersions.clusters],
    ['Microsoft.Resources/resourceGroups', apiVersions.resources],
  ])('is nothing to the commands, which read %s with %s', (type, version) => {
    expect(apiVersionsOf(type)).toContain(version);
    for (const { since } of CHANGES[type] ?? []) expect(version >= since).toBe(true);
  });
});
