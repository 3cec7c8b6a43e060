import * as pulumi from '@pulumi/pulumi';
import { parseResourceId } from './resourceId';

/** Where a resource is, as functions that read it take it. */
export interface ResourceAddress {
  readonly resourceGroupName: pulumi.Output<string>;
  readonly name: pulumi.Output<string>;
}

/** The place of a resource, from its id: unknown until it exists, while its name is known in every preview. */
export function placeOf(id: pulumi.Output<string>, type: string): ResourceAddress {
  const parsed = id.apply((text) => parseResourceId(text, type));
  return { resourceGroupName: parsed.resourceGroupName, name: parsed.name };
}

/**
 * Outputs that no update in place changes (a client id, an issuer, a vault's address).
 *
 * In the preview of an update, azure-native promises none of a resource's outputs: a new tag on a cluster would be
 * shown as the replacement of its Kubernetes provider and of all that is installed with it. The id stays known then,
 * and is unknown in the preview of a creation or a replacement, so that what is read by it is known exactly when it
 * stays. Outside of previews the resource's own outputs are used: a read right after a creation may find nothing yet.
 * @param own the resource's own outputs
 * @param read the same outputs, read from Azure
 */
export function stableOutputs<Outputs>(
  { id, type }: { readonly id: pulumi.Output<string>; readonly type: string },
  own: Outputs,
  read: (place: ResourceAddress) => Outputs,
): Outputs {
  return pulumi.runtime.isDryRun() ? read(placeOf(id, type)) : own;
}
