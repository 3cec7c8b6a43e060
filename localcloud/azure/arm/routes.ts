import type { ArmContext } from './context';
import type { ArmEndpoint } from './endpoint';
import { accessPolicyEndpoints } from './resources/accessPolicies';
import { activityEndpoints } from './resources/activities';
import { clusterEndpoints } from './resources/clusters';
import { deletedVaultEndpoints } from './resources/deletedVaults';
import { diagnosticSettingEndpoints } from './resources/diagnosticSettings';
import { directorySettingEndpoints } from './resources/directorySettings';
import { dnsZoneEndpoints } from './resources/dnsZones';
import { federatedCredentialEndpoints } from './resources/federatedCredentials';
import { flexibleServerEndpoints } from './resources/flexibleServers';
import { identityEndpoints } from './resources/identities';
import { identityBindingEndpoints } from './resources/identityBindings';
import { lockEndpoints } from './resources/locks';
import { networkSecurityGroupEndpoints } from './resources/networkSecurityGroups';
import { operationEndpoints } from './resources/operationStatus';
import { privateDnsZoneGroupEndpoints } from './resources/privateDnsZoneGroups';
import { privateEndpointEndpoints } from './resources/privateEndpoints';
import { providerEndpoints } from './resources/providers';
import { redisEndpoints } from './resources/redisCaches';
import { resourceGroupEndpoints } from './resources/resourceGroups';
import { resourceListEndpoints } from './resources/resources';
import { permissionEndpoints } from './resources/permissions';
import { roleAssignmentEndpoints } from './resources/roleAssignments';
import { roleDefinitionEndpoints } from './resources/roleDefinitions';
import { scaleSetEndpoints } from './resources/scaleSets';
import { serviceBusEndpoints } from './resources/serviceBus';
import { storageAccountEndpoints } from './resources/storageAccounts';
import { subscriptionEndpoints } from './resources/subscriptions';
import { vaultEndpoints } from './resources/vaults';
import { vaultSecretEndpoints } from './resources/vaultSecrets';
import { virtualNetworkEndpoints } from './resources/virtualNetworks';
import { workspaceEndpoints } from './resources/workspaces';

/** Every operation of the resource manager. */
export function armEndpoints(context: ArmContext): ArmEndpoint[] {
  return [
    ...subscriptionEndpoints(context),
    ...providerEndpoints(context),
    ...resourceGroupEndpoints(context),
    ...resourceListEndpoints(context),
    ...activityEndpoints(context),
    // Before the endpoints with `{scope}`, which would match the polling links of these services.
    ...storageAccountEndpoints(context),
    ...flexibleServerEndpoints(context),
    ...redisEndpoints(context),
    ...serviceBusEndpoints(context),
    ...operationEndpoints(context),
    ...identityEndpoints(context),
    ...federatedCredentialEndpoints(context),
    ...vaultEndpoints(context),
    ...deletedVaultEndpoints(context),
    ...accessPolicyEndpoints(context),
    ...vaultSecretEndpoints(context),
    ...permissionEndpoints(context),
    ...roleDefinitionEndpoints(context),
    ...roleAssignmentEndpoints(context),
    ...clusterEndpoints(context),
    ...identityBindingEndpoints(context),
    ...scaleSetEndpoints(context),
    ...workspaceEndpoints(context),
    ...diagnosticSettingEndpoints(context),
    ...directorySettingEndpoints(context),
    ...lockEndpoints(context),
    ...privateEndpointEndpoints(context),
    ...privateDnsZoneGroupEndpoints(context),
    ...virtualNetworkEndpoints(context),
    ...networkSecurityGroupEndpoints(context),
    ...dnsZoneEndpoints(context),
  ];
}
