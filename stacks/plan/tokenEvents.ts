import { podIdentityNamespace } from '../../components/podIdentity/names';
import type { ClusterSettings } from '../settings/schema';

/** What writes events of aad-pod-identity's tokens. */
export interface TokenEventsPlan {
  /** Name in the stack. */
  readonly key: string;
  /** Namespace of the node component. */
  readonly namespace: string;
}

/** Namespace of aad-pod-identity's node component. */
export function nodeComponentNamespace({ podIdentity }: Pick<ClusterSettings, 'podIdentity'>): string {
  return (podIdentity?.install === false ? podIdentity.namespace : undefined) ?? podIdentityNamespace;
}

/** What writes events of aad-pod-identity's tokens on the cluster; undefined if it has none, or another stack writes them. */
export function planTokenEvents(cluster: ClusterSettings): TokenEventsPlan | undefined {
  const { name, podIdentity } = cluster;
  if (podIdentity === undefined || (!podIdentity.install && podIdentity.tokenEvents === false))
    return undefined;
  return { key: `${name}-token-events`, namespace: nodeComponentNamespace(cluster) };
}
