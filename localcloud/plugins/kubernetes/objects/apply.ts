import { setTimeout as delay } from 'node:timers/promises';
import type { Context, Properties } from '../../protocol';
import type { ApplyOptions, Cluster, Location } from '../client/cluster';
import { isNamespaceMissing } from '../client/errors';
import type { Kind, ServedKind } from '../client/kinds';
import type { JsonObject } from '../json';
import { isJsonObject, textAt, toJsonObject } from '../json';
import { metadataText } from './annotations';

/** Seconds that a creation waits for objects of other resources in the same update. */
export const dependencySeconds = 15;

/** Returns the location of the object in the inputs. */
export function locationOf(served: ServedKind, inputs: Properties, kind: Kind): Location {
  const name = metadataText(inputs, 'name');
  if (name === undefined) throw new Error(`${kind.kind} without metadata.name cannot be applied`);
  const namespace = served.namespaced ? (metadataText(inputs, 'namespace') ?? 'default') : undefined;
  return { kind: served, namespace, name };
}

/** Returns the request body: the inputs, with a namespace only for namespaced kinds. */
export function bodyOf(inputs: Properties, location: Location): JsonObject {
  const body = toJsonObject(inputs);
  if (location.kind.namespaced || !isJsonObject(body['metadata'])) return body;
  const { namespace: _namespace, ...metadata } = body['metadata'];
  return { ...body, metadata };
}

/** Applies the object. Waits for a missing namespace for a while. */
export async function applyPatiently(
  cluster: Cluster,
  location: Location,
  body: JsonObject,
  options: ApplyOptions,
): Promise<JsonObject> {
  const deadline = Date.now() + dependencySeconds * 1000;
  for (;;) {
    try {
      return await cluster.apply(location, body, options);
    } catch (error) {
      if (!isNamespaceMissing(error) || Date.now() >= deadline) throw error;
      await delay(500, undefined, { signal: options.signal });
    }
  }
}

/** Waits until the deleted object is gone. A new object with the same name counts as gone. */
export async function awaitGone(
  cluster: Cluster,
  location: Location,
  uid: string | undefined,
  timeoutSeconds: number,
  context: Context,
  urn: string,
): Promise<void> {
  let logged = '';
  const deadline = Date.now() + timeoutSeconds * 1000;
  for (let pause = 50; ; pause = Math.min(pause * 1.5, 1000)) {
    const live = await cluster.get(location, context.signal);
    if (live === undefined || textAt(live, 'metadata', 'uid') !== uid) return;
    if (Date.now() >= deadline) throw new Error(lingering(live, timeoutSeconds));
    const messages = troubles(live).join('; ');
    if (messages !== '' && messages !== logged) await context.log('info', messages, urn, true);
    logged = messages;
    await delay(pause, undefined, { signal: context.signal });
  }
}

function lingering(live: JsonObject, timeoutSeconds: number): string {
  const metadata = live['metadata'];
  const finalizers =
    isJsonObject(metadata) && Array.isArray(metadata['finalizers']) ? metadata['finalizers'] : [];
  return [
    `it still exists ${timeoutSeconds} s after the request to delete it`,
    finalizers.length > 0 ? `remaining finalizers: ${finalizers.map(String).join(', ')}` : '',
    ...troubles(live),
  ]
    .filter((text) => text !== '')
    .join('; ');
}

/** Returns conditions that explain why the object still exists, such as remaining contents of a namespace. */
function troubles(live: JsonObject): string[] {
  const conditions = isJsonObject(live['status']) ? live['status']['conditions'] : undefined;
  return (Array.isArray(conditions) ? conditions : [])
    .filter(
      (condition) => (textAt(condition, 'status') === 'True') !== (textAt(condition, 'type') === 'Ready'),
    )
    .map((condition) => textAt(condition, 'message') ?? '')
    .filter((message) => message !== '');
}
