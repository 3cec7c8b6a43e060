import { interactiveSignIn } from '../components/waiting/interactiveSignIn';
import { UserError } from './userError';

/**
 * Checks that a command can sign in to each of these clusters unattended. Otherwise, the Kubernetes client would hide the
 * prompt of the sign-in and wait.
 * @throws UserError for the first cluster with an interactive sign-in
 */
export function requireUnattended(
  kubeconfigs: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv = process.env,
): void {
  for (const [cluster, kubeconfig] of Object.entries(kubeconfigs)) {
    const signIn = interactiveSignIn(kubeconfig, env);
    if (signIn !== undefined)
      throw new UserError(`The kubeconfig of the cluster ${cluster} ${signIn.what}.`, signIn.hint);
  }
}
