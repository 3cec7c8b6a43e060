import type { StackSettings, ApplicationSettings, ClusterSettings } from '../settings/schema';
import { shardOf } from './shards';

/** Whether the application runs as an identity of its own. */
export function hasOwnIdentity(settings: StackSettings, application: ApplicationSettings): boolean {
  return (application.identity ?? settings.identity) !== 'cluster';
}

/** What the names of a generation end with. The first has the name that an identity without generations has. */
export function generationSuffix(number = 1): string {
  return number === 1 ? '' : `-g${number}`;
}

/** The key of each generation of an identity, the one in use first. */
export function generationKeys(
  key: string,
  [inUse, beside]: readonly number[] = [],
): readonly [string, ...string[]] {
  const others = beside === undefined ? [] : [`${key}${generationSuffix(beside)}`];
  return [`${key}${generationSuffix(inUse)}`, ...others];
}

/** Keys of the identities of the application on the cluster: the one that it runs as, and another generation of it. */
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

/** Name in the stack of the service operator's identity on the cluster. It is reserved, also if there is no such identity. */
export function operatorKey({ name }: Pick<ClusterSettings, 'name'>): string {
  return `${name}-aso`;
}

/** Name in the stack of the identity of what opens and closes access windows. */
export function reconcilerKey({ name }: Pick<ClusterSettings, 'name'>): string {
  return `${name}-windows`;
}

/** Name in the stack of the identity of what keeps connection strings current. */
export function connectionWriterKey({ name }: Pick<ClusterSettings, 'name'>): string {
  return `${name}-connections`;
}
