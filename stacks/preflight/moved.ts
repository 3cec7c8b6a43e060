import { getClientConfig } from '@pulumi/azure-native/authorization';
import {
  clusterType,
  identityType,
  tryParseResourceId,
  vaultType,
  workspaceType,
} from '../../components/azure/resourceId';
import { firstFew } from '../../components/resource/firstFew';
import type { Configuration } from '../plan';
import type { Problem } from '../settings/problem';
import type { Subscriptions } from './subscriptions';
import { stackTag, stackTagValue } from '../plan/tags';
import { everyIdentity } from '../plan';
import type { ListInAzure } from './azureList';

/** A resource that the stack made, by its tag. */
interface OwnResource {
  readonly name: string;
  readonly group: string;
  readonly location: string;
}

/**
 * Another resource group or region, while what the stack made is in the one before. Neither can be changed: the engine would
 * make everything anew, and applications would lose their access.
 */
export async function movedProblems(
  configuration: Configuration,
  subscriptions: Subscriptions,
  list: ListInAzure,
): Promise<Problem[]> {
  const { resourceGroup, location } = configuration.settings;
  const { name: wantedGroup, existing } = resourceGroup;
  const opts = existing && { provider: subscriptions.provider(existing.subscriptionId) };
  const { subscriptionId } = existing ?? (await getClientConfig());
  const own = await ownResources(configuration, subscriptionId, (path) => list(path, opts));
  // A vault of the name in the right place is the one that is meant.
  const inPlace = own.filter(({ group }) => same(group, wantedGroup));
  const elsewhere = own.filter(
    ({ name, group }) => !same(group, wantedGroup) && !inPlace.some((one) => same(one.name, name)),
  );
  const inOtherRegion = inPlace.filter((one) => region(one.location) !== region(location));
  return [
    ...problem(['resourceGroup'], wantedGroup, 'resource group', elsewhere, ({ group }) => group),
    ...problem(['location'], location, 'region', inOtherRegion, (one) => one.location),
  ];
}

function problem(
  path: Problem['path'],
  value: string,
  what: string,
  misplaced: readonly OwnResource[],
  placeOf: (one: OwnResource) => string,
): Problem[] {
  const [first] = misplaced;
  if (first === undefined) return [];
  const before = placeOf(first);
  return [
    {
      path,
      value: JSON.stringify(value),
      what: `is not the ${what} of what this stack made, ${before} (${firstFew(misplaced.map(({ name }) => name))}), and nothing can be moved: all would be made anew`,
      remedy: `Set it back to ${before}; for another ${what}, make another stack.`,
    },
  ];
}

/** What carries the stack's tag in Azure, of all that the configuration makes in the environment's group. */
async function ownResources(
  { environment, settings, plan }: Configuration,
  subscriptionId: string,
  list: (path: string) => ReturnType<ListInAzure>,
): Promise<OwnResource[]> {
  const workspace = settings.logs?.workspace;
  const made = new Set(
    [
      ...(workspace === undefined || workspace.existing !== undefined
        ? []
        : [`${workspaceType}/${workspace.name}`]),
      ...plan.vaults.flatMap(({ name, existing }) =>
        existing === undefined ? [`${vaultType}/${name}`] : [],
      ),
      ...plan.clusters.flatMap((cluster) => [
        ...(cluster.settings.mode === 'create' ? [`${clusterType}/${cluster.settings.name}`] : []),
        ...everyIdentity(cluster).flatMap(({ azureName, existing }) =>
          existing === undefined ? [`${identityType}/${azureName}`] : [],
        ),
      ]),
    ].map((one) => one.toLowerCase()),
  );
  const filter = `tagName eq '${stackTag}' and tagValue eq '${stackTagValue(environment)}'`;
  const tagged = await list(
    `/subscriptions/${subscriptionId}/resources?api-version=2021-04-01&$filter=${filter}`,
  );
  return (tagged ?? []).flatMap(({ id, location }) => {
    const parsed = typeof id === 'string' ? tryParseResourceId(id) : undefined;
    if (parsed === undefined || typeof location !== 'string') return [];
    const { type, name, resourceGroupName: group } = parsed;
    return made.has(`${type}/${name}`.toLowerCase()) ? [{ name, group, location }] : [];
  });
}

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** `West Europe` and `westeurope` are one region. */
function region(location: string): string {
  return location.replaceAll(' ', '').toLowerCase();
}
