import type { FoundCluster, FoundIdentity, FoundVault } from './fromAzureFound';
import type { SecretGrants } from './fromAzureGrants';
import type { PlacedUse } from './fromAzureIdentities';
import { dnsLabel, unusedName } from './fromAzureNames';

/** An application as in a stack file. Others deploy its pods. */
export interface ApplicationEntry {
  readonly name: string;
  readonly clusters: readonly string[];
  readonly [setting: string]: unknown;
}

/** The uses of one service account with the same settings on one or more clusters. */
interface Group {
  readonly uses: PlacedUse[];
  readonly vault: FoundVault | undefined;
  readonly secrets: readonly string[];
}

/**
 * Returns one application for each service account, and the vault that the stack file has for each identity: an application
 * reads from the central vault, or from a vault that no other application reads from.
 * @param clusters clusters of the stack file, with their names
 */
export function applicationsOf(
  placed: readonly PlacedUse[],
  clusters: ReadonlyMap<FoundCluster, string>,
  secretsOf: (identity: FoundIdentity) => SecretGrants,
  central: FoundVault | undefined,
): { applications: ApplicationEntry[]; vaultOf: ReadonlyMap<FoundIdentity, FoundVault> } {
  const owners = new Map<FoundVault, Group>();
  const vaultOf = new Map<FoundIdentity, FoundVault>();
  const names = new Set<string>();
  const applications = groupsOf(placed, secretsOf, central).map((group): ApplicationEntry => {
    const { uses, vault, secrets } = group;
    const isOwn = vault !== undefined && vault !== central;
    const isRead = vault !== undefined && (!isOwn || !owners.has(vault));
    if (isRead) {
      if (isOwn) owners.set(vault, group);
      for (const { identity } of uses) vaultOf.set(identity, vault);
    }
    const on = (use: PlacedUse) => clusters.get(use.cluster) ?? '';
    const [{ account, isShared }] = uses as [PlacedUse];
    const { namespace, name: serviceAccount } = account;
    const base = dnsLabel(serviceAccount === 'default' ? namespace : serviceAccount);
    const name = unusedName(names, base, dnsLabel(`${namespace}-${base}`));
    names.add(name);
    const isNeighbour = (other: PlacedUse) =>
      !uses.includes(other) &&
      other.account.namespace === namespace &&
      uses.some((use) => use.cluster === other.cluster);
    return {
      name,
      deployedBy: 'others',
      clusters: uses.map(on),
      identity: isShared
        ? 'cluster'
        : { existing: Object.fromEntries(uses.map((use) => [on(use), use.identity.id])) },
      namespace: { name: namespace, existing: true },
      ...(placed.some(isNeighbour) && { sharedNamespace: 'accepted' }),
      serviceAccount: { name: serviceAccount, existing: true },
      ...(isRead &&
        isOwn && { vault: { placement: 'perApplication', existing: vault.id, access: vault.access } }),
      secrets: isRead ? secrets : [],
    };
  });
  return { applications, vaultOf };
}

/** Returns the uses of each service account; those with other settings on another cluster are another group. */
function groupsOf(
  placed: readonly PlacedUse[],
  secretsOf: (identity: FoundIdentity) => SecretGrants,
  central: FoundVault | undefined,
): Group[] {
  const groups = new Map<string, Group>();
  for (const use of placed) {
    const granted = secretsOf(use.identity);
    const hasCentral = central !== undefined && granted.has(central);
    const vault = hasCentral ? central : use.isShared ? undefined : [...granted.keys()][0];
    const secrets = vault === undefined ? [] : [...(granted.get(vault) ?? [])].sort();
    const { namespace, name } = use.account;
    const key = JSON.stringify([namespace, name, use.isShared, vault?.id, secrets]);
    const group = groups.get(key) ?? { uses: [], vault, secrets };
    group.uses.push(use);
    groups.set(key, group);
  }
  return [...groups.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
}

/** Returns the vault from which most service accounts read; undefined if none reads single secrets. */
export function centralVault(
  placed: readonly PlacedUse[],
  secretsOf: (identity: FoundIdentity) => SecretGrants,
): FoundVault | undefined {
  const readers = new Map<FoundVault, number>();
  for (const { identity } of placed)
    for (const vault of secretsOf(identity).keys()) readers.set(vault, (readers.get(vault) ?? 0) + 1);
  return [...readers].sort(([, a], [, b]) => b - a)[0]?.[0];
}
