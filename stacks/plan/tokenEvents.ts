import type { ClusterSettings } from '../settings/schema';
import type { TokenEventsPlan } from './types';

/** The chart's namespace, and that of an installation of which the stack file says nothing else. */
const usual = 'kube-system';

/** What writes events of aad-pod-identity's tokens on the cluster; undefined if it has none, or another stack writes them. */
export function planTokenEvents({ name, podIdentity }: ClusterSettings): TokenEventsPlan | undefined {
  if (podIdentity === undefined) return undefined;
  const key = `${name}-token-events`;
  if (podIdentity.install) return { key, namespace: usual };
  const { namespace = usual, tokenEvents = true } = podIdentity;
  return tokenEvents ? { key, namespace } : undefined;
}
