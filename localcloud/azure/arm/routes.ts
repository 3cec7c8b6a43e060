import type { ArmContext } from './context';
import type { ArmEndpoint } from './endpoint';
import { accessPolicyEndpoints } from './resources/accessPolicies';
import { clusterEndpoints } from './resources/clusters';
import { deletedVaultEndpoints } from './resources/deletedVaults';
import { diagnosticSettingEndpoints } from './resources/diagnosticSettings';
import { federatedCredentialEndpoints } from './resources/federatedCredentials';
import { identityEndpoints } from './resources/identities';
import { lockEndpoints } from './resources/locks';
import { operationEndpoints } from './resources/operationStatus';
import { privateDnsZoneGroupEndpoints } from './resources/privateDnsZoneGroups';
import { privateEndpointEndpoints } from './resources/privateEndpoints';
import { providerEndpoints } from './resources/providers';
import { resourceGroupEndpoints } from './resources/resourceGroups';
import { resourceListEndpoints } from './resources/resources';
import { roleAssignmentEndpoints } from './resources/roleAssignments';
import { roleDefinitionEndpoints } from './resources/roleDefinitions';
import { subscriptionEndpoints } from './resources/subscriptions';
import { vaultEndpoints } from './resources/vaults';
import { vaultSecretEndpoints } from './resources/vaultSecrets';
import { workspaceEndpoints } from './resources/workspaces';

/** Every operation of the resource manager. */
export function armEndpoints(context: ArmContext): ArmEndpoint[] {
  return [
    ...subscriptionEndpoints(context),
    ...providerEndpoints(),
    ...resourceGroupEndpoints(context),
    ...resourceListEndpoints(context),
    ...operationEndpoints(context),
    ...identityEndpoints(context),
    ...federatedCredentialEndpoints(context),
    ...vaultEndpoints(context),
    ...deletedVaultEndpoints(context),
    ...accessPolicyEndpoints(context),
    ...vaultSecretEndpoints(context),
    ...roleDefinitionEndpoints(),
    ...roleAssignmentEndpoints(context),
    ...clusterEndpoints(context),
    ...workspaceEndpoints(context),
    ...diagnosticSettingEndpoints(context),
    ...lockEndpoints(context),
    ...privateEndpointEndpoints(context),
    ...privateDnsZoneGroupEndpoints(context),
  ];
}
