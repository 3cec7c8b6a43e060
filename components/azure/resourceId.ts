import { InvalidArgumentError } from '../resource/errors';

/** The parts of an Azure resource id that the components need. */
export interface ResourceId {
  readonly subscriptionId: string;
  readonly resourceGroupName: string;
  /** Provider and type, `Microsoft.KeyVault/vaults`. */
  readonly type: string;
  readonly name: string;
}

/** Type of a vault, in its resource id. */
export const vaultType = 'Microsoft.KeyVault/vaults';

/** Type of a workspace, in its resource id. */
export const workspaceType = 'Microsoft.OperationalInsights/workspaces';

/** Type of an identity, in its resource id. */
export const identityType = 'Microsoft.ManagedIdentity/userAssignedIdentities';

/** Type of a cluster, in its resource id. */
export const clusterType = 'Microsoft.ContainerService/managedClusters';

/** Resource ids are case-insensitive, and AKS indeed answers `/resourcegroups/` where others say `/resourceGroups/`. */
const pattern =
  /^\/subscriptions\/(?<subscription>[^/]+)\/resourcegroups\/(?<group>[^/]+)\/providers\/(?<type>[^/]+\/[^/]+)\/(?<name>[^/]+)$/i;

/** The parts of `id`, or undefined if it is not the id of a resource in a resource group. */
export function tryParseResourceId(id: string): ResourceId | undefined {
  const groups = pattern.exec(id)?.groups;
  const { subscription, group, type, name } = groups ?? {};
  if (subscription === undefined || group === undefined || type === undefined || name === undefined) {
    return undefined;
  }
  return { subscriptionId: subscription, resourceGroupName: group, type, name };
}

/** A resource group, from its id. */
export interface ResourceGroupId {
  readonly subscriptionId: string;
  readonly name: string;
}

/** The parts of the id of a resource group, or undefined if it is none. */
export function tryParseResourceGroupId(id: string): ResourceGroupId | undefined {
  const match = /^\/subscriptions\/([^/]+)\/resourcegroups\/([^/]+)$/i.exec(id);
  const [, subscriptionId, name] = match ?? [];
  return subscriptionId === undefined || name === undefined ? undefined : { subscriptionId, name };
}

/** A subnet, from its id. */
export interface SubnetId extends ResourceGroupId {
  readonly network: string;
}

/** The parts of the id of a subnet, or undefined if it is none; `name` is the subnet's. */
export function tryParseSubnetId(id: string): SubnetId | undefined {
  const match =
    /^\/subscriptions\/([^/]+)\/resourcegroups\/[^/]+\/providers\/microsoft\.network\/virtualnetworks\/([^/]+)\/subnets\/([^/]+)$/i.exec(
      id,
    );
  const [, subscriptionId, network, name] = match ?? [];
  if (subscriptionId === undefined || network === undefined || name === undefined) return undefined;
  return { subscriptionId, network, name };
}

/** An argument of a component that is the id of a resource which exists. */
export interface GivenId {
  /** Component and its name, `KeyVault central`. */
  readonly component: string;
  /** Name of the argument. */
  readonly argument: string;
  /** The id as given. */
  readonly id: string;
  /** Type that it must be of. */
  readonly type: string;
  /** That type in words, with its article: `a key vault`. */
  readonly what: string;
  /** Command that prints such an id. */
  readonly command: string;
}

/** The parts of an id that a component was given, which must be of the right type. */
export function parseGivenId({ component, argument, id, type, what, command }: GivenId): ResourceId {
  const parsed = tryParseResourceId(id);
  if (parsed?.type.toLowerCase() === type.toLowerCase()) return parsed;
  throw new InvalidArgumentError({
    component,
    argument,
    value: id,
    problem: `is not the id of ${what}`,
    allowed: `/subscriptions/<id>/resourceGroups/<group>/providers/${type}/<name>`,
    remedy: `\`${command}\` prints it.`,
  });
}

/**
 * Refuses a resource other than the existing one that was named: it is looked up by group and name, in the subscription
 * that is deployed to, where another may have the same.
 */
export function assertExisting(component: string, existing: string, found: string): void {
  if (existing.toLowerCase() === found.toLowerCase()) return;
  throw new InvalidArgumentError({
    component,
    argument: 'existing',
    value: existing,
    problem: `is in another subscription than the one deployed to, where ${found} has its name`,
    allowed: 'a resource of the subscription that is deployed to',
    remedy: 'Give the component a provider for the other subscription, or name another.',
  });
}

/** The parts of `id`, which must be that of a `type`. */
export function parseResourceId(id: string, type: string): ResourceId {
  const parsed = tryParseResourceId(id);
  if (parsed?.type.toLowerCase() !== type.toLowerCase()) {
    throw new Error(
      `"${id}" is not the id of a ${type}. Allowed: /subscriptions/<id>/resourceGroups/<group>/providers/${type}/<name>, as \`az resource show --query id\` prints it.`,
    );
  }
  return parsed;
}
