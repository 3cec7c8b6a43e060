import { applicationPath } from '../settings/places';
import type { Path } from '../settings/problem';
import type { ClusterSettings, ExistingId, StackSettings } from '../settings/schema';
import type { ConnectionWriterPlan } from './connectionWriter';
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
    (identity) => identity !== undefined,
  );
}

/** An existing identity, which the stack only uses. */
export interface ExistingIdentity {
  /** Path of the setting that names it. */
  readonly path: Path;
  readonly existing: ExistingId;
  readonly identity: IdentityPlan;
  /** The cluster that has it, the first one if several have. */
  readonly cluster: ClusterSettings;
}

/** Returns the existing identities of clusters, each once. */
export function existingIdentities(
  settings: Pick<StackSettings, 'applications'>,
  clusters: readonly (ClusterIdentities & { readonly settings: ClusterSettings })[],
): ExistingIdentity[] {
  const all = clusters.flatMap((cluster, index) =>
    everyIdentity(cluster).flatMap((identity) => {
      const { existing, scope, applications, sharedAs } = identity;
      if (existing === undefined) return [];
      const { name } = cluster.settings;
      const path =
        scope === 'application'
          ? [
              ...applicationPath(settings, applications[0] ?? ''),
              ...['identity', 'existing', ...(sharedAs === undefined ? [name] : [])],
            ]
          : ['clusters', index, scope === 'operator' ? 'operatorIdentity' : 'identity', 'existing'];
      return [{ path, existing, identity, cluster: cluster.settings }];
    }),
  );
  return all.filter(
    ({ identity: { sharedAs } }, index) =>
      sharedAs === undefined || all.findIndex(({ identity }) => identity.sharedAs === sharedAs) === index,
  );
}
