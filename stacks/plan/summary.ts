import type { Configuration, EnvironmentPlan } from '.';
import { everyIdentity, grantedAtTimes, grantedName } from '.';

/** Summary of what a valid configuration deploys. */
export type ConfigurationSummary = ReturnType<typeof summarizeConfiguration>;

export function summarizeConfiguration({ plan, settings }: Configuration) {
  const atTimes = plan.clusters.flatMap((cluster) =>
    cluster.identities.flatMap((identity) => grantedAtTimes(cluster, identity)),
  );
  const assignable = [...new Set(atTimes.map(grantedName))].sort();
  const versions = new Map(
    plan.clusters.flatMap(({ workloads }) =>
      workloads.map(({ application, version }) => [application.name, version]),
    ),
  );
  const granted = secretsByGrantee(plan);
  return {
    clusters: plan.clusters.map((cluster) => cluster.settings.name),
    /** Each with the version that is released to the environment, if the application has releases. */
    applications: settings.applications.map(({ name }) => ({ name, version: versions.get(name) })),
    /** Each with its version as well. */
    hostedClusters: plan.clusters.flatMap((cluster) =>
      cluster.hostedClusters.map(
        ({ settings: { name, authentication }, version, components, secrets, managedIdentities }) => ({
          name,
          version,
          managementCluster: cluster.settings.name,
          authentication,
          components: components.map(({ component }) => component),
          /** Names of its managed identities in Azure. */
          identities: managedIdentities,
          /** Secrets with the credentials of its components: `<vault>/<secret>`. */
          secrets: secrets.map((secret) => `${settings.vault.name}/${secret}`),
        }),
      ),
    ),
    groups: plan.groups.map(({ name, displayName, existing, vault, secrets, roles, members }) => ({
      name,
      /** Display name of a group that the stack creates, or object id of an existing one. */
      inEntra: existing ?? displayName,
      /** Names in Azure of the identities that become members. */
      members: members.map(({ azureName }) => azureName),
      /** `<vault>/<secret>`. */
      reads: secrets.map((secret) => `${vault}/${secret}`),
      /** `<role> on <scope>`. */
      roles: roles.map(grantedName),
    })),
    vaults: plan.vaults.map(({ name, access, secrets }) => ({ name, access, secrets: secrets.length })),
    /** The applications' dependencies, each once. */
    dependencies: plan.clusters.flatMap(({ workloads }) =>
      workloads.flatMap(({ dependencies }) =>
        dependencies
          .filter(({ manages }) => manages)
          .map(({ application, name, service, group, managedBy }) => ({
            application,
            /** Name in the application's settings. */
            name,
            kind: service.kind,
            /** Its resource group. */
            group,
            /** The cluster whose operator provisions it. */
            cluster: managedBy,
          })),
      ),
    ),
    /** Entries that may no longer sign in: reasons by name. */
    revoked: settings.revoked ?? { applications: {}, clusters: {}, identities: {} },
    /**
     * On each cluster, first the identities of applications, then the provisioning ones, if the service operator is installed.
     */
    identities: plan.clusters.flatMap((cluster) =>
      everyIdentity(cluster).map((identity) => {
        const { key, azureName, existing, generation, subjects, roleGrants, credential } = identity;
        const shared = plan.sharedIdentities.find((other) => other.key === identity.sharedAs);
        const atTimes = grantedAtTimes(cluster, identity).map(grantedName);
        return {
          /** Name in Azure, or the resource id of an existing identity. */
          name: existing?.id ?? azureName,
          cluster: cluster.settings.name,
          generation,
          /** Stored credential that it signs in with, as `<vault>/<secret>`; undefined if it signs in with federation. */
          credential: credential && {
            kind: credential.kind,
            secret: `${settings.vault.name}/${credential.secret}`,
          },
          /** `<namespace>/<service account>` on the cluster. */
          trusts: [...subjects, ...(identity.binding?.accounts ?? [])].map(
            ({ namespace, serviceAccount }) => `${namespace}/${serviceAccount}`,
          ),
          /** `<vault>/<secret>`. */
          reads: granted.get(identity.sharedAs ?? key) ?? [],
          /** `<role> on <scope>`. */
          roles: (shared?.roleGrants ?? roleGrants).map(grantedName),
          /** Secrets and roles that it has only at times, in the same form. */
          ...(atTimes.length > 0 && { atTimes }),
          /** Access that the reconciler may grant, to the identities that have it at times. */
          ...(key === cluster.reconciler?.key && { mayAssign: assignable }),
        };
      }),
    ),
  };
}

/** Returns the secrets that the plan grants, as `<vault>/<secret>`, by the name of the grantee. */
export function secretsByGrantee({ vaults }: Pick<EnvironmentPlan, 'vaults'>): ReadonlyMap<string, string[]> {
  const granted = new Map<string, string[]>();
  for (const { name, grants } of vaults)
    for (const { grantee, secrets } of grants)
      granted.set(grantee, [
        ...(granted.get(grantee) ?? []),
        ...secrets.map((secret) => `${name}/${secret}`),
      ]);
  return granted;
}
