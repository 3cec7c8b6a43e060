import type { ClusterIdentities } from './identities';
import { everyIdentity } from './identities';
import type { ClusterPart } from './parts';

interface WithParts extends ClusterIdentities {
  readonly parts: readonly ClusterPart[];
}

/** Returns the names in Azure of the managed identities that the stack creates for a cluster. */
export function createdIdentities(cluster: WithParts): string[] {
  return [
    ...everyIdentity(cluster)
      .filter(({ existing, kind }) => existing === undefined && kind === 'managedIdentity')
      .map(({ azureName }) => azureName),
    ...cluster.parts.flatMap(({ managedIdentities }) => managedIdentities),
  ];
}

/** Whether the stack creates applications in Entra for a cluster. */
export function usesEntra(cluster: WithParts): boolean {
  return (
    everyIdentity(cluster).some(({ kind }) => kind === 'servicePrincipal') ||
    cluster.parts.some(({ secrets }) => secrets.length > 0)
  );
}
