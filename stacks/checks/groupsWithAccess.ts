import { parseResourceId } from '../../components/azure/resourceId';
import { everyIdentity } from '../plan';
import type { CheckInput } from './context';

/**
 * Returns the resource groups that contain what gives access, by name in lower case, each with a description of its contents.
 * Whoever may write in such a group can read the secrets or sign in as the identities.
 * @param own name of the environment's own group
 * @param location location of the clusters that the stack creates
 */
export function groupsWithAccess(
  { clusters, vaults }: Pick<CheckInput['plan'], 'clusters' | 'vaults'>,
  own: string,
  location: string,
): ReadonlyMap<string, string> {
  const groupOf = (id: string) => parseResourceId(id).resourceGroupName.toLowerCase();
  const identities = clusters.flatMap(everyIdentity).flatMap(({ existing }) => existing ?? []);
  const existing = vaults.flatMap((vault) => vault.existing ?? []);
  // For equal names, the last entry wins.
  return new Map([
    ...identities.map(
      ({ id }) => [groupOf(id), 'the resource group of identities that the stack uses'] as const,
    ),
    ...existing.map(({ id }) => [groupOf(id), 'the resource group of a vault that the stack uses'] as const),
    ...clusters.flatMap(({ settings }) => {
      const existing = 'id' in settings ? parseResourceId(settings.id.id) : undefined;
      const { resourceGroupName: group = own, name = settings.name } = existing ?? {};
      return [
        ...(existing
          ? [[group.toLowerCase(), 'the resource group of a cluster that the stack uses'] as const]
          : []),
        // The name that AKS chooses by default.
        [
          `MC_${group}_${name}_${location}`.toLowerCase(),
          `the node resource group of ${settings.name}`,
        ] as const,
      ];
    }),
    [own.toLowerCase(), "the environment's own resource group, with its clusters, vaults and identities"],
  ]);
}
