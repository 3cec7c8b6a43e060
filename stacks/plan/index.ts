import type { ClusterSettings, StackSettings } from '../configuration/schema';
import { planIdentities, planOperator } from './identities';
import { selects } from './selection';
import type { ClusterPlan, EnvironmentPlan } from './types';
import { keptSecrets, planVaults } from './vaults';
import { planNamespaces, planWorkload } from './workloads';

export type * from './types';
export { hasOwnIdentity } from './identities';
export { selects } from './selection';
export { usesSecretsStore } from './secretsStore';
export { shardOf, shards } from './shards';
export { centralVaultName, hasOwnVault, keptSecrets, vaultOf } from './vaults';
export { accountOf, adoptsNamespace, adoptsServiceAccount } from './workloads';

/**
 * What `settings` come to in the environment (the stack) of the given name. `versions` are those of the applications
 * that have a release, by name.
 */
export function planEnvironment(
  environment: string,
  settings: StackSettings,
  versions: ReadonlyMap<string, string> = new Map(),
): EnvironmentPlan {
  return {
    vaults: planVaults(settings),
    kept: keptSecrets(settings),
    clusters: settings.clusters.map((cluster) => planCluster(environment, settings, cluster, versions)),
  };
}

function planCluster(
  environment: string,
  settings: StackSettings,
  cluster: ClusterSettings,
  versions: ReadonlyMap<string, string>,
): ClusterPlan {
  const here = settings.applications.filter(({ clusters }) => selects(clusters, cluster));
  return {
    settings: cluster,
    deletion: cluster.deletion ?? settings.deletion,
    identities: planIdentities(environment, settings, cluster, here),
    operator: planOperator(environment, settings, cluster),
    namespaces: planNamespaces(here),
    workloads: here.map((application) =>
      planWorkload(settings, cluster, application, versions.get(application.name)),
    ),
  };
}
