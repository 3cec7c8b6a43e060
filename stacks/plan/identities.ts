import type { ApplicationSettings, ClusterSettings, ExistingId, StackSettings } from '../settings/schema';
import { shardOf } from './shards';
import { hasOwnProvisioner, planDependencies, provisionerRoles, servicesGroupOf } from './dependencies';
import type { ClusterPlan, IdentityPlan, NamedIdentityPlan, ProvisionerPlan } from './types';
import { grantsOf } from './vaults';
import { accountOf, subjectsOf } from './workloads';

/** Whether the application runs as an identity of its own. */
export function hasOwnIdentity(
  settings: Pick<StackSettings, 'identity'>,
  application: ApplicationSettings,
): boolean {
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
    retainOnDelete: boolean,
    existing: ExistingId | undefined,
  ): IdentityPlan => ({
    ...named(environment, key, retainOnDelete, existing),
    scope,
    applications: applications.map(({ name }) => name),
    subjects: applications.flatMap((application) => subjectsOf(settings, application)),
    grants: grantsOf(settings, applications),
  });
  const ofCluster = cluster.retainOnDelete ?? settings.retainOnDelete;
  const shared = here.filter((application) => !hasOwnIdentity(settings, application));
  const dedicated = here.filter((application) => hasOwnIdentity(settings, application));
  const shards = settings.shard ? [...new Set(shared.map(({ name }) => shardOf(name)))].sort() : [];
  return [
    plan('cluster', cluster.name, settings.shard ? [] : shared, ofCluster, cluster.identity?.existing),
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
        application.retainOnDelete ?? settings.retainOnDelete,
        typeof application.identity === 'object' ? application.identity.existing[cluster.name] : undefined,
      ),
    ),
  ];
}

/** Name in the stack of the service operator's identity on the cluster; it is nobody else's, also if there is none. */
export function operatorKey({ name }: Pick<ClusterSettings, 'name'>): string {
  return `${name}-aso`;
}

export function planOperator(
  environment: string,
  settings: StackSettings,
  cluster: ClusterSettings,
): NamedIdentityPlan | undefined {
  if (!settings.serviceOperator.install) return undefined;
  const retainOnDelete = cluster.retainOnDelete ?? settings.retainOnDelete;
  return named(environment, operatorKey(cluster), retainOnDelete, cluster.operatorIdentity?.existing);
}

/** Name in the stack of the identity that provisions what the application depends on. */
export function provisionerKey(cluster: Pick<ClusterSettings, 'name'>, application: string): string {
  return `${cluster.name}-${application}-aso`;
}

/** Who provisions for those of the applications that have somebody of their own for it. */
export function planProvisioners(
  environment: string,
  settings: StackSettings,
  cluster: ClusterSettings,
  here: readonly ApplicationSettings[],
): ProvisionerPlan[] {
  return here.filter(hasOwnProvisioner).map((application) => ({
    ...named(
      environment,
      provisionerKey(cluster, application.name),
      application.retainOnDelete ?? settings.retainOnDelete,
      undefined,
    ),
    application: application.name,
    namespace: accountOf(application).namespace,
    group: servicesGroupOf(settings, application),
    roles: provisionerRoles(planDependencies(settings, cluster, application)),
  }));
}

/** Every identity of a cluster: of the applications, of who provisions for them, the service operator's last. */
export function everyIdentity({
  identities,
  provisioners,
  operator,
}: Pick<ClusterPlan, 'identities' | 'provisioners' | 'operator'>): readonly NamedIdentityPlan[] {
  return [...identities, ...provisioners, ...(operator === undefined ? [] : [operator])];
}

function named(
  environment: string,
  key: string,
  retainOnDelete: boolean,
  existing: ExistingId | undefined,
): NamedIdentityPlan {
  return {
    key,
    azureName: `id-${environment}-${key}`,
    ...(existing !== undefined && { existing }),
    retainOnDelete,
  };
}
