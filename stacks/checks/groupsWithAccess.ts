import { parseResourceId } from '../../components/azure/resourceId';
import { everyIdentity } from '../plan';
import type { Known } from './context';

/**
 * The resource groups with what gives access, by their names in lower case, each with what it has: whoever may write in such a
 * group can read the secrets, or sign in as the identities.
 * @param own name of the environment's own group
 */
export function groupsWithAccess(
  { clusters, vaults }: Pick<Known['plan'], 'clusters' | 'vaults'>,
  own: string,
): ReadonlyMap<string, string> {
  const groupOf = (id: string) => parseResourceId(id).resourceGroupName.toLowerCase();
  const identities = clusters.flatMap(everyIdentity).flatMap(({ existing }) => existing ?? []);
  const existing = vaults.flatMap((vault) => vault.existing ?? []);
  // The last one of a name stays.
  return new Map([
    ...identities.map(({ id }) => [groupOf(id), 'the group of identities that the stack uses'] as const),
    ...existing.map(({ id }) => [groupOf(id), 'the group of a vault that the stack uses'] as const),
    [own.toLowerCase(), "the environment's own group, with its clusters, vaults and identities"],
  ]);
}
