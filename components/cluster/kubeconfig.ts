import {
  listManagedClusterAdminCredentialsOutput,
  listManagedClusterUserCredentialsOutput,
} from '@pulumi/azure-native/containerservice';
import * as pulumi from '@pulumi/pulumi';

/** Where a managed cluster is, for the provider's functions. */
export interface ClusterTarget {
  readonly resourceGroupName: pulumi.Input<string>;
  readonly resourceName: pulumi.Input<string>;
}

/**
 * kubeconfig of an administrator, a secret. Without local accounts it has the user's own credentials, for which `kubelogin`
 * must be on the PATH.
 */
export function clusterKubeconfig(
  target: ClusterTarget,
  localAccounts: boolean,
  opts: pulumi.InvokeOutputOptions,
): pulumi.Output<string> {
  const { kubeconfigs } = localAccounts
    ? listManagedClusterAdminCredentialsOutput(target, opts)
    : listManagedClusterUserCredentialsOutput({ ...target, format: 'exec' }, opts);
  return pulumi.secret(kubeconfigs.apply((all) => decodeKubeconfig(all[0]?.value)));
}

/** The text of a kubeconfig as the credentials operation answers it. */
export function decodeKubeconfig(value: string | undefined): string {
  if (value === undefined) throw new Error("The cluster's credentials operation answered no kubeconfig.");
  return Buffer.from(value, 'base64').toString('utf8');
}
