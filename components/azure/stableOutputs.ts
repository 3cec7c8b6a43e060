import * as pulumi from '@pulumi/pulumi';
import type { ResourceId } from './resourceId';
import { parseResourceId } from './resourceId';

/**
 * Outputs that no update in place changes (a client id, an issuer, a vault's address).
 *
 * In the preview of an update, azure-native promises none of a resource's outputs: a new tag on a cluster would be
 * shown as the replacement of its Kubernetes provider and of all that is installed with it. The id stays known, and is
 * unknown in the preview of a creation or a replacement. What is read by the id is therefore known exactly if it stays.
 * Outside of previews the resource's own outputs are used: a read right after a creation may find nothing yet.
 * @param id the resource's id
 * @param own the resource's own outputs
 * @param get reads the same outputs from Azure
 */
export function stableOutputs<Outputs extends Readonly<Record<string, pulumi.Output<unknown>>>>(
  id: pulumi.Output<string>,
  own: Outputs,
  get: (place: pulumi.Output<ResourceId>) => Outputs,
): Outputs {
  if (!pulumi.runtime.isDryRun()) return own;
  // What a function answers is not said to come from the resource as long as its id is not known.
  const ofResource = Object.entries(get(id.apply(parseResourceId))).map(([key, output]) => [
    key,
    pulumi.all([output, id]).apply(([value]) => value),
  ]);
  return Object.fromEntries(ofResource) as Outputs;
}
