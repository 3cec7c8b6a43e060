import { hostedClusterKind } from '../../components/hypershift/components';
import type { Configuration } from '../plan';
import { ownerAnnotation, ownerOf } from '../plan/owner';
import type { Problem } from '../settings/problem';
import type { ManagedClusters } from './managedClusters';

/**
 * Returns problems of hosted clusters for which the stack created a HostedCluster in another namespace or on another management
 * cluster. A second one would act on the same resource group and the same machines.
 */
export async function movedHostedClusterProblems(
  { environment, plan }: Configuration,
  azure: ManagedClusters,
): Promise<Problem[]> {
  const placed = plan.clusters
    .flatMap(({ hostedClusters }) => hostedClusters)
    .filter(({ settings: { spec } }) => spec !== undefined);
  if (placed.length === 0) return [];
  const found = await Promise.all(
    plan.clusters.map(({ settings: cluster }) =>
      azure.ask(cluster, [hostedClusterKind], async (objects, kind) =>
        (await objects.list(kind))
          .filter(({ metadata }) =>
            metadata?.annotations?.[ownerAnnotation]?.startsWith(ownerOf(environment, '')),
          )
          .map(({ metadata }) => ({
            ...{ cluster: cluster.name, namespace: metadata?.namespace, name: metadata?.name },
          })),
      ),
    ),
  );
  return placed.flatMap(({ path, settings }): Problem[] => {
    const { name, namespace, managementCluster: cluster } = settings;
    const elsewhere = found
      .flat()
      .find(
        (deployed) =>
          deployed.name === name && (deployed.cluster !== cluster || deployed.namespace !== namespace.name),
      );
    if (elsewhere === undefined) return [];
    const field = elsewhere.cluster === cluster ? 'namespace' : 'managementCluster';
    return [
      {
        path: [...path, field],
        value: JSON.stringify(field === 'namespace' ? namespace.name : cluster),
        what: `would create the HostedCluster ${name} a second time: this stack created it in the namespace ${elsewhere.namespace ?? ''} of the cluster ${elsewhere.cluster}`,
        hint: 'Set it back. A hosted cluster cannot move: delete that HostedCluster first, which deletes its machines.',
      },
    ];
  });
}
