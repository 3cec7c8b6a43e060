import type { Cluster, Location } from '../client/cluster';
import { ApiError } from '../client/errors';
import type { Kind } from '../client/kinds';
import { apiVersionOf, describeKind } from '../client/kinds';
import type { JsonObject } from '../json';
import { textAt } from '../json';

/**
 * Releases every field that the manager owns, and keeps the object: it applies only the object's identity
 * (provider/pkg/ssa/actions.go of pulumi-kubernetes). The server removes fields that have no other owner.
 */
export async function relinquish(
  cluster: Cluster,
  location: Location,
  live: JsonObject,
  fieldManager: string,
  signal: AbortSignal,
): Promise<void> {
  const { kind, namespace, name } = location;
  const uid = textAt(live, 'metadata', 'uid');
  const metadata = {
    name,
    ...(kind.namespaced && namespace !== undefined && { namespace }),
    // With the uid, the apply cannot recreate an object that was deleted in the meantime.
    ...(uid !== undefined && { uid }),
  };
  const body = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata };
  try {
    await cluster.apply(location, body, { fieldManager, force: false, dryRun: false, signal });
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) return;
    const required = error instanceof ApiError && error.status === 422;
    if (!required) throw error;
    const fields = error.causes.map(({ field }) => field).join(', ') || error.message;
    throw new Error(
      `${describeKind(kind)} '${name}': this patch owns required fields of the object (${fields}). ` +
        'Set the option retainOnDelete on the patch, or let another field manager own them first.',
      { cause: error },
    );
  }
}

/** Returns the warning for a patch of a missing object: the API server creates it, as with the official plugin. */
export function patchesNothing(kind: Kind, location: Location): string {
  const { namespace, name } = location;
  const id = namespace === undefined ? name : `${namespace}/${name}`;
  return (
    `${describeKind(kind)} '${id}' does not exist. The patch creates it, and deleting the patch will not delete it. ` +
    `To fail instead, read it first (${kind.kind}.get).`
  );
}
