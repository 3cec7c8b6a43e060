import { interactiveSignInOfAks } from '../../components/waiting/interactiveSignIn';
import type { Problem } from '../settings/problem';
import type { StackSettings } from '../settings/schema';

/**
 * Returns problems of clusters that sign their users in to Entra. Their kubeconfigs would be refused in the same way, but do not
 * exist before the clusters do. Only Azure knows whether this is the local cloud, whose kubeconfigs do not sign in to Entra.
 */
export function newInteractiveSignInProblems({ clusters }: StackSettings): Problem[] {
  const found = interactiveSignInOfAks();
  return clusters.flatMap((cluster, index) =>
    found === undefined || cluster.mode !== 'create' || cluster.administratorGroups === undefined
      ? []
      : [{ path: ['clusters', index, 'administratorGroups'], ...found }],
  );
}
