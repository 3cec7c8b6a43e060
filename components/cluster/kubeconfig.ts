import {
  listManagedClusterAdminCredentialsOutput,
  listManagedClusterUserCredentialsOutput,
} from '@pulumi/azure-native/containerservice';
import * as pulumi from '@pulumi/pulumi';
import { unattended } from '../waiting/interactiveSignIn';

/** A managed cluster, as the provider's functions identify it. */
export interface ClusterTarget {
  readonly resourceGroupName: pulumi.Input<string>;
  readonly resourceName: pulumi.Input<string>;
}

/**
 * Returns the kubeconfig of an administrator, a secret. Without local accounts, it uses the user's own credentials, and
 * `kubelogin` must be on the PATH.
 */
export function clusterKubeconfig(
  target: ClusterTarget,
  localAccounts: boolean,
  opts: pulumi.InvokeOutputOptions,
): pulumi.Output<string> {
  const { kubeconfigs } = localAccounts
    ? listManagedClusterAdminCredentialsOutput(target, opts)
    : listManagedClusterUserCredentialsOutput({ ...target, format: 'exec' }, opts);
  return pulumi.secret(
    pulumi
      .all([target.resourceName, kubeconfigs])
      .apply(([cluster, all]) => decodeKubeconfig(cluster, all[0]?.value)),
  );
}

/**
 * Decodes a kubeconfig that the credentials operation returned. For Entra, AKS configures the sign-in of a person with a
 * code in a browser: an update would wait for it without showing the code.
 * @throws UserError if a person has to sign in
 */
export function decodeKubeconfig(cluster: string, value: string | undefined): string {
  if (value === undefined) throw new Error('Azure returned no kubeconfig for the cluster.');
  return unattended(cluster, Buffer.from(value, 'base64').toString('utf8'));
}
