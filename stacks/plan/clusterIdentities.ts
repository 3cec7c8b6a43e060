import { applicationPath } from '../settings/places';
import type { Path } from '../settings/problem';
import type { ClusterSettings, ExistingId, StackSettings } from '../settings/schema';
import type { ConnectionWriterPlan } from './connectionWriter';
import { isOneForAll } from './existingIdentity';
import type { IdentityPlan } from './identities';
import type { ProvisioningIdentities } from './provisioners';

/** The identities of a cluster. */
export interface ClusterIdentities extends ProvisioningIdentities {
  /** The cluster's own identity first, then its shards, then the dedicated ones. */
  readonly identities: readonly [IdentityPlan, ...IdentityPlan[]];
  /** The identity of the reconciler of what is granted only at times, if it runs here. */
  readonly reconciler?: IdentityPlan;
  /** The connection writer, if this cluster's operator provisions services whose connection strings it keeps current. */
  readonly connectionWriter?: ConnectionWriterPlan;
}

/** Returns every identity of a cluster: first those of applications, then the provisioning ones, then those of reconcilers. */
export function everyIdentity({
  identities,
  operator,
  provisioners,
  reconciler,
  connectionWriter,
}: ClusterIdentities): readonly IdentityPlan[] {
  return [...identities, operator, ...provisioners, reconciler, connectionWriter].filter(
    (one) => one !== undefined,
  );
}

/** An existing identity, which the stack only uses. */
export interface ExistingIdentity {
  /** Path of the setting that names it. */
  readonly path: Path;
  readonly existing: ExistingId;
  readonly identity: IdentityPlan;
}

/**
 * Returns the existing identities of a cluster.
 * @param index index of the cluster in the settings
 */
export function existingIdentities(
  settings: Pick<StackSettings, 'applications'>,
  cluster: ClusterIdentities & { readonly settings: Pick<ClusterSettings, 'name'> },
  index: number,
): ExistingIdentity[] {
  return everyIdentity(cluster).flatMap((identity) => {
    const { existing, scope, applications } = identity;
    if (existing === undefined) return [];
    const path =
      scope === 'application'
        ? [
            ...applicationPath(settings, applications[0] ?? ''),
            ...existingPath(settings, applications[0], cluster.settings.name),
          ]
        : ['clusters', index, scope === 'operator' ? 'operatorIdentity' : 'identity', 'existing'];
    return [{ path, existing, identity }];
  });
}

/** Returns the path of an application's existing identity for a cluster, below the application. */
function existingPath(
  { applications }: Pick<StackSettings, 'applications'>,
  name: string | undefined,
  cluster: string,
): Path {
  const identity = applications.find((one) => one.name === name)?.identity;
  const isOne = typeof identity === 'object' && 'existing' in identity && isOneForAll(identity.existing);
  return ['identity', 'existing', ...(isOne ? [] : [cluster])];
}

/** Returns the existing identities without those that an earlier cluster has too. */
export function eachOnce<T extends { readonly identity: IdentityPlan }>(all: readonly T[]): T[] {
  return all.filter(
    ({ identity: { sharedAs } }, index) =>
      sharedAs === undefined || all.findIndex(({ identity }) => identity.sharedAs === sharedAs) === index,
  );
}
