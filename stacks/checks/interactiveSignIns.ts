import { interactiveSignIn } from '../../components/waiting/interactiveSignIn';
import type { Problem } from '../settings/problem';
import type { StackSettings } from '../settings/schema';

/** Returns problems of kubeconfigs with which the update would wait for a person, unseen. */
export function interactiveSignInProblems(kubeconfigs: StackSettings['kubeconfigs']): Problem[] {
  return Object.entries(kubeconfigs).flatMap(([cluster, kubeconfig]) => {
    const found = interactiveSignIn(kubeconfig);
    return found === undefined ? [] : [{ path: ['kubeconfigs', cluster], ...found }];
  });
}
