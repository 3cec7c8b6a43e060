import {
  clusterType,
  identityType,
  tryParseResourceId,
  vaultType,
  workspaceType,
} from '../../components/azure/resourceId';
import { apiVersions } from '../../components/azure/resourceManager';
import { firstFew } from '../../components/resource/firstFew';
import type { Configuration } from '../plan';
import type { Problem } from '../settings/problem';
import type { Subscriptions } from '../subscriptions';
import { stackTagFilter } from '../plan/tags';
import { createdIdentities } from '../plan';
import type { ListInAzure } from './azureList';
import { isSame } from './same';

/** A resource with the tag of the stack. */
interface OwnResource {
  readonly name: string;
  readonly group: string;
  readonly location: string;
}

/**
 * Returns problems of a resource group or region other than the one in which the stack created its resources. Neither can be
 * changed: the engine would replace everything, and applications would lose their access.
 */
export async function movedProblems(
  configuration: Configuration,
  subscriptionId: string,
  subscriptions: Subscriptions,
  list: ListInAzure,
): Promise<Problem[]> {
  const { resourceGroup, location } = configuration.settings;
  const { name: wantedGroup, existing } = resourceGroup;
  const opts = existing && { provider: subscriptions.provider(subscriptionId) };
  const tagged = await list(
    {
      path: `/subscriptions/${subscriptionId}/resources`,
      apiVersion: apiVersions.resources,
      filter: stackTagFilter(configuration.environment),
    },
    opts,
  );
  const created = typesAndNames(configuration);
  const own = (tagged ?? []).flatMap(({ id, location }): OwnResource[] => {
    const parsed = typeof id === 'string' ? tryParseResourceId(id) : undefined;
    if (parsed === undefined || typeof location !== 'string') return [];
    const { type, name, resourceGroupName: group } = parsed;
    return created.has(`${type}/${name}`.toLowerCase()) ? [{ name, group, location }] : [];
  });
  // If two resources have the same name, the one in the configured group belongs to the stack.
  const inPlace = own.filter(({ group }) => isSame(group, wantedGroup));
  const elsewhere = own.filter(
    ({ name, group }) =>
      !isSame(group, wantedGroup) && !inPlace.some((resource) => isSame(resource.name, name)),
  );
  const inOtherRegion = inPlace.filter((resource) => region(resource.location) !== region(location));
  return [
    ...movedProblem(['resourceGroup'], wantedGroup, 'resource group', elsewhere, ({ group }) => group),
    ...movedProblem(['location'], location, 'region', inOtherRegion, (resource) => resource.location),
  ];
}

function movedProblem(
  path: Problem['path'],
  value: string,
  what: string,
  misplaced: readonly OwnResource[],
  placeOf: (resource: OwnResource) => string,
): Problem[] {
  const [first] = misplaced;
  if (first === undefined) return [];
  const before = placeOf(first);
  return [
    {
      path,
      value: JSON.stringify(value),
      what: `is not the ${what} of this stack's existing resources, ${before} (${firstFew(misplaced.map(({ name }) => name))}); they cannot be moved, so all of them would be created again`,
      hint: `Set it back to ${before}. For another ${what}, create another stack.`,
    },
  ];
}

/** Returns `<type>/<name>`, in lower case, of everything that the configuration creates in the environment's group. */
function typesAndNames({ settings, plan }: Configuration): ReadonlySet<string> {
  const isCreated = ({ existing }: { readonly existing?: unknown }) => existing === undefined;
  const { vaults, clusters } = plan;
  const workspaces = settings.logs === undefined ? [] : [settings.logs.workspace];
  const created = [
    ...workspaces.filter(isCreated).map(({ name }) => `${workspaceType}/${name}`),
    ...vaults.filter(isCreated).map(({ name }) => `${vaultType}/${name}`),
    ...clusters
      .filter(({ settings: { mode } }) => mode === 'create')
      .map(({ settings: { name } }) => `${clusterType}/${name}`),
    ...clusters.flatMap(createdIdentities).map((name) => `${identityType}/${name}`),
  ];
  return new Set(created.map((key) => key.toLowerCase()));
}

/** Returns the region without spaces and in lower case: `West Europe` and `westeurope` are the same region. */
function region(location: string): string {
  return location.replaceAll(' ', '').toLowerCase();
}
