import { interactiveSignIn } from '../../components/waiting/interactiveSignIn';
import type { Problem } from '../settings/problem';
import type { StackSettings } from '../settings/schema';

/** The kubeconfig that AKS gives a user of a cluster without local accounts, in short. */
const kubeconfigOfAks = JSON.stringify({
  'current-context': 'aks',
  contexts: [{ name: 'aks', context: { user: 'user' } }],
  users: [
    { name: 'user', user: { exec: { command: 'kubelogin', args: ['get-token', '--login', 'devicecode'] } } },
  ],
});

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
  const found = interactiveSignIn(kubeconfigOfAks);
  return clusters.flatMap((cluster, index) =>
    found === undefined || cluster.mode !== 'create' || cluster.administratorGroups === undefined
      ? []
      : [{ path: ['clusters', index, 'administratorGroups'], ...found }],
  );
}
