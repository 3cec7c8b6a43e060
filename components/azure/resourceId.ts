import type { ArgumentProblem } from '../resource/errors';
import { InvalidArgumentError } from '../resource/errors';

/** The parts of an Azure resource id that the components need. */
export interface ResourceId {
  readonly subscriptionId: string;
  readonly resourceGroupName: string;
  /** Provider and type, `Microsoft.KeyVault/vaults`. */
  readonly type: string;
  readonly name: string;
}

/** Types of resources, as they are in resource ids. */
export const vaultType = 'Microsoft.KeyVault/vaults';
export const workspaceType = 'Microsoft.OperationalInsights/workspaces';
export const identityType = 'Microsoft.ManagedIdentity/userAssignedIdentities';
export const clusterType = 'Microsoft.ContainerService/managedClusters';

/** Resource ids are case-insensitive: AKS answers `/resourcegroups/` where other services say `/resourceGroups/`. */
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

/** The parts of the id of a resource group. */
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

/** The parts of the id of a subnet. */
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

/** An argument of a component that names an existing resource. */
export interface ExistingArgument extends Pick<ArgumentProblem, 'component' | 'argument'> {
  /** Type that the resource must have. */
  readonly type: string;
}

/** The parts of an id that a component was given. */
export function parseGivenId(id: string, { component, argument, type }: ExistingArgument): ResourceId {
  const parsed = tryParseResourceId(id);
  if (parsed?.type.toLowerCase() === type.toLowerCase()) return parsed;
  throw new InvalidArgumentError({
    component,
    argument,
    value: id,
    problem: `is not the id of a resource of type ${type}`,
    allowed: `/subscriptions/<id>/resourceGroups/<group>/providers/${type}/<name>`,
    remedy: `\`az resource list --resource-type ${type} --query "[].id"\` lists those that exist.`,
  });
}

/**
 * Refuses a resource that is not the one that was named. It is looked up by group and name in the subscription that is
 * deployed to, where another resource may have the same.
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

/** The parts of an id that Azure answered. */
export function parseResourceId(id: string): ResourceId {
  const parsed = tryParseResourceId(id);
  if (parsed === undefined) throw new Error(`"${id}" is not the id of a resource in a resource group.`);
  return parsed;
}
