import { InvalidArgumentError } from './errors';

/** The parts of an Azure resource id that the components need. */
export interface ResourceId {
  readonly subscriptionId: string;
  readonly resourceGroupName: string;
  /** Provider and type, `Microsoft.KeyVault/vaults`. */
  readonly type: string;
  readonly name: string;
}

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

/**
 * Refuses what was found in place of a resource to adopt: it is looked up by group and name, in the subscription
 * that is deployed to, where another may have the same.
 */
export function assertAdopted(component: string, adopt: string, found: string): void {
  if (adopt.toLowerCase() === found.toLowerCase()) return;
  throw new InvalidArgumentError({
    component,
    argument: 'adopt',
    value: adopt,
    problem: `is in another subscription than the one deployed to, where ${found} has its name`,
    allowed: 'a resource of the subscription that is deployed to',
    remedy: 'Give the component a provider for the other subscription, or adopt another.',
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
