import type { Properties, Value } from '../../protocol';
import type { Kind } from '../client/kinds';
import { describeKind } from '../client/kinds';
import { isObject, isUnknown, reveal } from '../../protocol';

/** The `pulumi.com/` annotations that the plugin supports: metadata/annotations.go of pulumi-kubernetes. */
export const annotation = {
  autonamed: 'pulumi.com/autonamed',
  skipAwait: 'pulumi.com/skipAwait',
  waitFor: 'pulumi.com/waitFor',
  timeoutSeconds: 'pulumi.com/timeoutSeconds',
  patchForce: 'pulumi.com/patchForce',
  patchFieldManager: 'pulumi.com/patchFieldManager',
  deletionPropagation: 'pulumi.com/deletionPropagationPolicy',
  replaceUnready: 'pulumi.com/replaceUnready',
} as const;

/**
 * Kinds whose deletion is not awaited if `skipAwait` is set (allowsSkipAwaitWithDelete in metadata/overrides.go of
 * pulumi-kubernetes).
 */
const deletedUnawaited: ReadonlySet<string> = new Set([
  'v1/Namespace',
  'v1/Pod',
  'v1/ReplicationController',
  'apps/v1/DaemonSet',
  'apps/v1/Deployment',
  'apps/v1/StatefulSet',
  'batch/v1/Job',
]);

/** Tells whether a deletion ends with the request, without waiting. */
export function skipsDeletionAwait(kind: Kind, properties: Properties): boolean {
  return (
    annotationOf(properties, annotation.skipAwait) === 'true' && deletedUnawaited.has(describeKind(kind))
  );
}

/** Returns the object's metadata; undefined if it is missing or not known yet. */
export function metadataOf(properties: Properties): Record<string, Value> | undefined {
  const metadata = reveal(properties['metadata'] ?? null);
  return isObject(metadata) ? metadata : undefined;
}

/** Returns the value of an annotation; undefined if it is missing or not known yet. */
export function annotationOf(properties: Properties, name: string): string | undefined {
  const annotations = metadataOf(properties)?.['annotations'];
  const value = isObject(annotations) ? annotations[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Returns a string in the metadata; undefined if it is missing or not known yet. */
export function metadataText(properties: Properties, name: string): string | undefined {
  const value = metadataOf(properties)?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Tells whether the object has a name, even if the name is known only later. */
export function isNamed(properties: Properties): boolean {
  const metadata = reveal(properties['metadata'] ?? null);
  if (isUnknown(metadata)) return true;
  return isUnknown(metadataOf(properties)?.['name']) || metadataText(properties, 'name') !== undefined;
}

/** Returns the object with metadata members set. Unknown metadata is not changed. */
export function withMetadata(properties: Properties, members: Record<string, Value>): Properties {
  const metadata = properties['metadata'] ?? {};
  if (!isObject(metadata)) return properties;
  return { ...properties, metadata: { ...metadata, ...members } };
}

/** Returns the object with an annotation set. Unknown annotations are not changed. */
export function withAnnotation(properties: Properties, name: string, value: string): Properties {
  const metadata = properties['metadata'] ?? {};
  const annotations = isObject(metadata) ? (metadata['annotations'] ?? {}) : undefined;
  if (!isObject(annotations)) return properties;
  return withMetadata(properties, { annotations: { ...annotations, [name]: value } });
}
