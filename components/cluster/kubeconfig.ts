import {
  listManagedClusterAdminCredentialsOutput,
  listManagedClusterUserCredentialsOutput,
} from '@pulumi/azure-native/containerservice';
import * as pulumi from '@pulumi/pulumi';
import { UserError } from '../resource/errors';

/** Where a managed cluster is, for the provider's functions. */
export interface ClusterTarget {
  readonly resourceGroupName: pulumi.Input<string>;
  readonly resourceName: pulumi.Input<string>;
}

/**
 * Returns the kubeconfig of an administrator, a secret. Without local accounts, it has the user's own credentials, for which
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
  return pulumi.secret(kubeconfigs.apply((all) => decodeKubeconfig(all[0]?.value)));
}

/**
 * Decodes a kubeconfig that the credentials operation returned. For sign-in through Entra, AKS sets up sign-in by a person with
 * a code in a browser: an update would wait for that without showing the code.
 * @param method how `kubelogin` signs in instead
 * @throws UserError if it would sign in with a code
 */
export function decodeKubeconfig(value: string | undefined, method = process.env.AAD_LOGIN_METHOD): string {
  if (value === undefined) throw new Error("The cluster's credentials operation answered no kubeconfig.");
  const text = Buffer.from(value, 'base64').toString('utf8');
  if (method === undefined && text.includes('devicecode'))
    throw new UserError(
      "The cluster's kubeconfig signs in to Entra by a code in a browser, for which an update would wait unseen. Set AAD_LOGIN_METHOD: to `azurecli` where `az login` was run, to `workloadidentity` in a pipeline that signs in by federation. `kubelogin` reads it.",
    );
  return text;
}
