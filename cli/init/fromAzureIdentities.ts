import type { Finding, FoundCluster, FoundIdentity } from './fromAzureFound';
import { nameIn, subjectFor } from './fromAzureFound';
import type { Use } from './fromAzureTrust';

/** A use that a stack file can express. */
export interface PlacedUse extends Use {
  /** True if the identity is the cluster's own, which several applications share; false if it is the application's. */
  readonly isShared: boolean;
}

/** Returns the uses that a stack file can express: it has each identity once, as a cluster's own or as that of one application. */
export function placedUses(uses: readonly Use[]): { placed: PlacedUse[]; findings: Finding[] } {
  const owners = new Map<FoundCluster, FoundIdentity>();
  const placed: PlacedUse[] = [];
  const findings: Finding[] = [];
  const identities = [...new Set(uses.map(({ identity }) => identity))].map((identity) => {
    const its = uses.filter((use) => use.identity === identity);
    const cluster = most(its.map((use) => use.cluster));
    return { identity, cluster, its, here: its.filter((use) => use.cluster === cluster) };
  });
  // Of several shared identities on a cluster, the one with most service accounts is the cluster's own.
  for (const { identity, cluster, its, here } of identities.toSorted(
    (a, b) => b.here.length - a.here.length,
  )) {
    const isShared = here.length > 1;
    if (isShared && owners.has(cluster)) {
      findings.push(...its.map((use) => notExpressed(use, ownProblem(cluster, owners))));
      continue;
    }
    if (isShared) owners.set(cluster, identity);
    placed.push(...here.map((use) => ({ ...use, isShared })));
    const elsewhere = its.filter((use) => use.cluster !== cluster);
    findings.push(
      ...elsewhere.map((use) =>
        notExpressed(use, `is also used on ${nameIn(cluster.id)}, where the stack file has it`),
      ),
    );
  }
  return { placed, findings };
}

const ownProblem = (cluster: FoundCluster, owners: ReadonlyMap<FoundCluster, FoundIdentity>) =>
  `shares it with others, and ${nameIn(owners.get(cluster)?.id ?? '')} is the shared identity of ${nameIn(cluster.id)} in the stack file, which has only one for each cluster`;

function notExpressed({ identity, cluster, account }: Use, problem: string): Finding {
  return {
    kind: 'sharedIdentity',
    what: `${subjectFor(account)} of ${nameIn(cluster.id)}`,
    problem: `signs in as ${nameIn(identity.id)}, and ${problem}`,
    hint: 'It stays as it is, and has no application in the stack file. Give it an identity of its own, and run the command again, or add it with `identity: application`.',
  };
}

/** Returns the item that is most often in a list; of several, the first. */
function most<T>(items: readonly T[]): T {
  const count = (item: T) => items.filter((other) => other === item).length;
  return items.reduce((best, item) => (count(item) > count(best) ? item : best));
}
