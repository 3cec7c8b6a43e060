import { podIdentityNamespace } from '../../components/podIdentity/names';
import type { ClusterSettings } from '../settings/schema';
import type { WorkloadPlan } from './workloads';

/** The writer of events of aad-pod-identity's tokens. */
export interface TokenEventsPlan {
  /** Name in the stack. */
  readonly key: string;
  /** Namespace of the node component. */
  readonly namespace: string;
}

/** Returns the namespace of aad-pod-identity's node component. */
export function nodeComponentNamespace({ podIdentity }: Pick<ClusterSettings, 'podIdentity'>): string {
  return (podIdentity?.install === false ? podIdentity.namespace : undefined) ?? podIdentityNamespace;
}

/** Returns the writer of token events on the cluster; undefined if it has no aad-pod-identity, or another stack writes them. */
export function planTokenEvents(cluster: ClusterSettings): TokenEventsPlan | undefined {
  const { name, podIdentity } = cluster;
  if (podIdentity === undefined || (!podIdentity.install && podIdentity.tokenEvents === false))
    return undefined;
  return { key: `${name}-token-events`, namespace: nodeComponentNamespace(cluster) };
}

/** Tells whether pods get tokens through aad-pod-identity. Pods of a revoked application never do. */
export function usesPodIdentity({ application, revoked }: WorkloadPlan): boolean {
  return application.signIn !== 'workloadIdentity' && revoked !== true;
}
