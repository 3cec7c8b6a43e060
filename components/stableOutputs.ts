import * as pulumi from '@pulumi/pulumi';

/**
 * Outputs that no update in place changes (a client id, an issuer, a vault's address).
 *
 * In the preview of an update, azure-native promises none of a resource's outputs: a new tag on a cluster would be
 * shown as the replacement of its Kubernetes provider and of all that is installed with it. The id stays known then,
 * and is unknown in the preview of a creation or a replacement, so that what is read by it is known exactly when it
 * stays. Outside of previews the resource's own outputs are used: a read right after a creation may find nothing yet.
 */
export function stableOutputs<Outputs>(
  id: pulumi.Output<string>,
  own: Outputs,
  read: (id: pulumi.Output<string>) => Outputs,
): Outputs {
  return pulumi.runtime.isDryRun() ? read(id) : own;
}
