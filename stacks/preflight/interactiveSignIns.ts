import { interactiveSignIn } from '../../components/waiting/interactiveSignIn';
import type { Problem } from '../settings/problem';
import type { StackSettings } from '../settings/schema';

/** Kubeconfigs of external clusters with which the update would wait for a person, unseen. Others are not settings. */
export function interactiveSignInProblems({ kubeconfigs }: StackSettings): Problem[] {
  return Object.entries(kubeconfigs).flatMap(([cluster, kubeconfig]) => {
    const found = interactiveSignIn(kubeconfig);
    return found === undefined ? [] : [{ path: ['kubeconfigs', cluster], ...found }];
  });
}
