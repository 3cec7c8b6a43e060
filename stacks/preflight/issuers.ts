import type { Configuration } from '../plan';
import type { Problem } from '../settings/problem';
import type { ManagedClusters } from './managedClusters';

/**
 * Returns problems of issuers of external clusters that differ from the cluster's own. Entra compares every character: with an
 * extra or missing slash, no token matches a federated credential.
 */
export async function issuerProblems(
  { settings }: Configuration,
  clusters: ManagedClusters,
): Promise<Problem[]> {
  const found = await Promise.all(
    settings.clusters.map(async (cluster, index) => {
      if (cluster.mode !== 'external') return [];
      return clusters.ask(cluster, [cluster.issuer], async (connected, issuer) => {
        const actual = await connected.issuer();
        if (actual === issuer) return [];
        return [
          {
            path: ['clusters', index, 'issuer'],
            value: JSON.stringify(issuer),
            what: `is not the issuer of the cluster ${cluster.name}`,
            allowed: `${actual}, as its discovery document says`,
            hint: 'Set it. If this is another cluster, correct its kubeconfig.',
          },
        ];
      });
    }),
  );
  return found.flat();
}
