import * as pulumi from '@pulumi/pulumi';
import type { ResourceId } from './resourceId';
import { parseResourceId } from './resourceId';

/**
 * Returns outputs that no update in place changes (a client id, an issuer, a vault's address).
 *
 * In the preview of an update, azure-native treats all outputs of a resource as unknown: a new tag on a cluster would
 * appear to replace its Kubernetes provider and everything that is installed with it. The id stays known, except in the
 * preview of a creation or a replacement. Outputs that are read by the id are therefore known exactly if the resource is
 * kept. Outside of previews the resource's own outputs are used: a read right after a creation may find nothing yet.
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
  // The result of a function does not depend on the resource while the resource's id is unknown.
  const ofResource = Object.entries(get(id.apply(parseResourceId))).map(([key, output]) => [
    key,
    pulumi.all([output, id]).apply(([value]) => value),
  ]);
  return Object.fromEntries(ofResource) as Outputs;
}
