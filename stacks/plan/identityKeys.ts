import type { StackSettings, ApplicationSettings, ClusterSettings } from '../settings/schema';
import { shardOf } from './shards';

/** Tells whether the application runs as an identity of its own. */
export function hasOwnIdentity(settings: StackSettings, application: ApplicationSettings): boolean {
  return (application.identity ?? settings.identity) !== 'cluster';
}

/** Returns the suffix of the names of a generation. The first generation has none, like an identity without generations. */
export function generationSuffix(number = 1): string {
  return number === 1 ? '' : `-g${number}`;
}

/** Returns the key of each generation of an identity, the one in use first. */
export function generationKeys(
  key: string,
  [inUse, beside]: readonly number[] = [],
): readonly [string, ...string[]] {
  const others = beside === undefined ? [] : [`${key}${generationSuffix(beside)}`];
  return [`${key}${generationSuffix(inUse)}`, ...others];
}

/**
 * Returns the name in the stack of an existing identity that the application has on all its clusters. Names of clusters contain no
 * underscore, so it is never the name of another identity.
 */
export function sharedKey({ name }: Pick<ApplicationSettings, 'name'>): string {
  return `${sharedPrefix}${name}`;
}

const sharedPrefix = 'identity_';

/** Returns the name of the application whose identity has this name in the stack; undefined if it is not a shared one. */
export function sharedBy(key: string): string | undefined {
  return key.startsWith(sharedPrefix) ? key.slice(sharedPrefix.length) : undefined;
}

/** Returns the keys of the application's identities on the cluster: the one that it runs as, and other generations of it. */
export function identityKeys(
  settings: StackSettings,
  cluster: ClusterSettings,
  application: ApplicationSettings,
): readonly [string, ...string[]] {
  if (hasOwnIdentity(settings, application))
    return generationKeys(`${cluster.name}-${application.name}`, application.identityGenerations);
  const key = settings.shard ? `${cluster.name}-${shardOf(application.name)}` : cluster.name;
  return generationKeys(key, cluster.identityGenerations);
}

/**
 * Returns the name in the stack of the service operator's identity on the cluster. It is reserved even if there is no such
 * identity.
 */
export function operatorKey({ name }: Pick<ClusterSettings, 'name'>): string {
  return `${name}-aso`;
}

/** Returns the name in the stack of the connection writer's identity. */
export function connectionWriterKey({ name }: Pick<ClusterSettings, 'name'>): string {
  return `${name}-connections`;
}
