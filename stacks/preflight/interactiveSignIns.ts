import { interactiveSignIn, interactiveSignInOfAks } from '../../components/waiting/interactiveSignIn';
import type { Problem } from '../settings/problem';
import type { StackSettings } from '../settings/schema';

/** Kubeconfigs of external clusters with which the update would wait for a person, unseen. */
export function interactiveSignInProblems({ kubeconfigs }: StackSettings): Problem[] {
  return Object.entries(kubeconfigs).flatMap(([cluster, kubeconfig]) => {
    const found = interactiveSignIn(kubeconfig);
    return found === undefined ? [] : [{ path: ['kubeconfigs', cluster], ...found }];
  });
}

/**
 * Clusters that sign their users in to Entra. Their kubeconfigs are refused in the same way, but do not exist before the clusters
 * do. Those of the local cloud do not sign in to Entra.
 */
export function newInteractiveSignInProblems({ clusters }: StackSettings): Problem[] {
  const found = interactiveSignInOfAks();
  return clusters.flatMap((cluster, index) =>
    found === undefined || cluster.mode !== 'create' || cluster.administratorGroups === undefined
      ? []
      : [{ path: ['clusters', index, 'administratorGroups'], ...found }],
  );
}
