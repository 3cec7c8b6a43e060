import { everyIdentity } from './clusterIdentities';
import type { ClusterPlan } from './types';

/** Returns the names in Azure of the managed identities that the stack creates for a cluster. */
export function createdIdentities(cluster: ClusterPlan): string[] {
  const own = everyIdentity(cluster).filter(
    ({ existing, kind }) => existing === undefined && kind === 'managedIdentity',
  );
  const ofParts = cluster.parts.flatMap(({ managedIdentities }) => managedIdentities);
  return [...own.map(({ azureName }) => azureName), ...ofParts];
}
