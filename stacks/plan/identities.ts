import type { ApplicationSettings, ClusterSettings, Deletion, StackSettings } from '../configuration/schema';
import { shardOf } from './shards';
import type { IdentityPlan, NamedIdentityPlan } from './types';
import { grantsOf } from './vaults';
import { subjectsOf } from './workloads';

/** Whether the application runs as an identity of its own. */
export function hasOwnIdentity(settings: StackSettings, application: ApplicationSettings): boolean {
  return (application.identity ?? settings.identity) !== 'cluster';
}

/** Key of the identity that the application runs as on the cluster. */
export function identityKey(
  settings: StackSettings,
  cluster: ClusterSettings,
  application: ApplicationSettings,
): string {
  if (hasOwnIdentity(settings, application)) return `${cluster.name}-${application.name}`;
  return settings.shard ? `${cluster.name}-${shardOf(application.name)}` : cluster.name;
}

/** The identities of a cluster for the applications `here`; its own first, also if nothing runs as it. */
export function planIdentities(
  environment: string,
  settings: StackSettings,
  cluster: ClusterSettings,
  here: readonly ApplicationSettings[],
): [IdentityPlan, ...IdentityPlan[]] {
  const plan = (
    scope: IdentityPlan['scope'],
    key: string,
    applications: readonly ApplicationSettings[],
    deletion: Deletion,
    adopt: string | undefined,
  ): IdentityPlan => ({
    ...named(environment, key, deletion, adopt),
    scope,
    applications: applications.map(({ name }) => name),
    subjects: applications.flatMap((application) => subjectsOf(settings, application)),
    grants: grantsOf(settings, applications),
  });
  const ofCluster = cluster.deletion ?? settings.deletion;
  const shared = here.filter((application) => !hasOwnIdentity(settings, application));
  const dedicated = here.filter((application) => hasOwnIdentity(settings, application));
  const shards = settings.shard ? [...new Set(shared.map(({ name }) => shardOf(name)))].sort() : [];
  return [
    plan('cluster', cluster.name, settings.shard ? [] : shared, ofCluster, cluster.identity?.adopt),
    ...shards.map((shard) =>
      plan(
        'shard',
        `${cluster.name}-${shard}`,
        shared.filter(({ name }) => shardOf(name) === shard),
        ofCluster,
        undefined,
      ),
    ),
    ...dedicated.map((application) =>
      plan(
        'application',
        `${cluster.name}-${application.name}`,
        [application],
        application.deletion ?? settings.deletion,
        typeof application.identity === 'object' ? application.identity.adopt[cluster.name] : undefined,
      ),
    ),
  ];
}

export function planOperator(
  environment: string,
  settings: StackSettings,
  cluster: ClusterSettings,
): NamedIdentityPlan {
  const deletion = cluster.deletion ?? settings.deletion;
  return named(environment, `${cluster.name}-aso`, deletion, cluster.operatorIdentity?.adopt);
}

function named(
  environment: string,
  key: string,
  deletion: Deletion,
  adopt: string | undefined,
): NamedIdentityPlan {
  return {
    key,
    azureName: `id-${environment}-${key}`,
    ...(adopt !== undefined && { adopt }),
    deletion,
  };
}
