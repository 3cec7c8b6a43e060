import { InvalidArgumentError } from '../resource/errors';

/** The parts of an Azure resource id that the components need. */
export interface ResourceId {
  readonly subscriptionId: string;
  readonly resourceGroupName: string;
  /** Provider and type, `Microsoft.KeyVault/vaults`. */
  readonly type: string;
  readonly name: string;
}

/** Types of resources as in resource ids. */
export const vaultType = 'Microsoft.KeyVault/vaults';
export const workspaceType = 'Microsoft.OperationalInsights/workspaces';
export const identityType = 'Microsoft.ManagedIdentity/userAssignedIdentities';
export const zoneType = 'Microsoft.Network/privateDnsZones';
export const securityGroupType = 'Microsoft.Network/networkSecurityGroups';
export const dnsZoneType = 'Microsoft.Network/dnsZones';
export const clusterType = 'Microsoft.ContainerService/managedClusters';

/** Resource ids are case-insensitive: AKS returns `/resourcegroups/`, other services `/resourceGroups/`. */
const inSubscription = '^/subscriptions/(?<subscriptionId>[^/]+)/resourcegroups/';

/**
 * Returns the parts of an id, by their names in the pattern of what follows `resourceGroups/`; undefined if the id does not
 * match.
 */
function partsOf(id: string, pattern: string): object | undefined {
  const parts = new RegExp(`${inSubscription}${pattern}$`, 'i').exec(id)?.groups;
  return parts && { ...parts };
}

/** Returns the parts of the id of a resource in a resource group, or undefined if it is not such an id. */
export function tryParseResourceId(id: string): ResourceId | undefined {
  return partsOf(id, '(?<resourceGroupName>[^/]+)/providers/(?<type>[^/]+/[^/]+)/(?<name>[^/]+)') as
    ResourceId | undefined;
}

/** Tells whether a resource is the scope or in the scope. */
export function isInScope(id: string, scope: string): boolean {
  return `${id}/`.toLowerCase().startsWith(`${scope}/`.toLowerCase());
}

/** The parts of the id of a resource group. */
export interface ResourceGroupId {
  readonly subscriptionId: string;
  readonly name: string;
}

/** Returns the parts of the id of a resource group, or undefined if it is not such an id. */
export function tryParseResourceGroupId(id: string): ResourceGroupId | undefined {
  return partsOf(id, '(?<name>[^/]+)') as ResourceGroupId | undefined;
}

/** The parts of the id of a subnet. */
export interface SubnetId extends ResourceGroupId {
  readonly resourceGroupName: string;
  readonly network: string;
}

/** Returns the parts of the id of a subnet, or undefined if it is not such an id; `name` is the subnet's. */
export function tryParseSubnetId(id: string): SubnetId | undefined {
  return partsOf(
    id,
    '(?<resourceGroupName>[^/]+)/providers/microsoft\\.network/virtualnetworks/(?<network>[^/]+)/subnets/(?<name>[^/]+)',
  ) as SubnetId | undefined;
}

/**
 * Refuses a resource other than the named one. The lookup uses group and name in the target subscription. Another resource
 * there may have both.
 */
export function assertExisting(component: string, existing: string, found: string): void {
  if (existing.toLowerCase() === found.toLowerCase()) return;
  throw new InvalidArgumentError(component, {
    argument: 'existing',
    value: existing,
    problem: `is not in the subscription of the deployment, or has another type: ${found} has its group and name there`,
    allowed: 'a resource of its type in the subscription of the deployment',
    hint: 'Give the component a provider for the other subscription, or name another resource.',
  });
}

/** Returns the parts of an id that Azure returned. */
export function parseResourceId(id: string): ResourceId {
  const parsed = tryParseResourceId(id);
  if (parsed === undefined) throw new Error(`"${id}" is not the id of a resource in a resource group.`);
  return parsed;
}
