import type { ApplicationSettings, ClusterSettings, ExistingId } from '../settings/schema';

/** The existing identities of an application: one for all its clusters, or one for each. */
type ExistingIdentities = Extract<
  NonNullable<ApplicationSettings['identity']>,
  { existing: unknown }
>['existing'];

/** Tells whether the setting is one identity for all clusters, not an object by name of the cluster. */
export function isOneForAll(existing: ExistingIdentities): existing is ExistingId {
  return typeof existing.id === 'string';
}

/** Returns the existing identity that the application has on all its clusters, if it has one. */
export function existingForAll({ identity }: Pick<ApplicationSettings, 'identity'>): ExistingId | undefined {
  if (typeof identity !== 'object' || !('existing' in identity)) return undefined;
  return isOneForAll(identity.existing) ? identity.existing : undefined;
}

/** Returns the application's existing identity for the cluster, if it has one. */
export function existingFor(
  application: Pick<ApplicationSettings, 'identity'>,
  { name }: Pick<ClusterSettings, 'name'>,
): ExistingId | undefined {
  const { identity } = application;
  if (typeof identity !== 'object' || !('existing' in identity)) return undefined;
  const { existing } = identity;
  if (isOneForAll(existing)) return existing;
  return Object.hasOwn(existing, name) ? existing[name] : undefined;
}
