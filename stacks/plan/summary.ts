import type { Configuration } from '.';
import { everyIdentity } from '.';

/** What a valid configuration deploys: clusters, applications, vaults, dependencies and identities. */
export interface ConfigurationSummary {
  clusters: string[];
  /** With the version that is released to the environment, if the application has releases. */
  applications: { name: string; version?: string }[];
  vaults: { name: string; access: string; secrets: number }[];
  /** The applications' dependencies, each once. */
  dependencies: DependencySummary[];
  /** Those of the applications first, on each cluster; then those that provision, if the service operator is installed. */
  identities: IdentitySummary[];
}

/** A service that an application depends on. */
export interface DependencySummary {
  application: string;
  /** What the application calls it. */
  name: string;
  /** Such as storageAccount. */
  kind: string;
  /** Resource group that it is in. */
  group: string;
  /** The cluster whose operator provisions it. */
  cluster: string;
}

/** An identity, whom it trusts, and what it may read. */
export interface IdentitySummary {
  /** Name in Azure, or the resource id of one that exists. */
  name: string;
  cluster: string;
  /** `<namespace>/<service account>` on the cluster. */
  trusts: string[];
  /** `<vault>/<secret>`. */
  reads: string[];
}

export function summarizeConfiguration({ plan, settings }: Configuration): ConfigurationSummary {
  const versions = new Map(
    plan.clusters.flatMap(({ workloads }) =>
      workloads.map(({ application, version }) => [application.name, version]),
    ),
  );
  return {
    clusters: plan.clusters.map((cluster) => cluster.settings.name),
    applications: settings.applications.map(({ name }) => ({ name, version: versions.get(name) })),
    vaults: plan.vaults.map(({ name, access, secrets }) => ({ name, access, secrets: secrets.length })),
    dependencies: plan.clusters.flatMap(({ workloads }) =>
      workloads.flatMap(({ dependencies }) =>
        dependencies
          .filter(({ manages }) => manages)
          .map(({ application, name, service, group, managedBy }) => ({
            application,
            name,
            kind: service.kind,
            group,
            cluster: managedBy,
          })),
      ),
    ),
    identities: plan.clusters.flatMap((cluster) =>
      everyIdentity(cluster).map(({ azureName, existing, subjects, grants }) => ({
        name: existing?.id ?? azureName,
        cluster: cluster.settings.name,
        trusts: subjects.map(({ namespace, serviceAccount }) => `${namespace}/${serviceAccount}`),
        reads: grants.flatMap(({ vault, secrets }) => secrets.map((secret) => `${vault}/${secret}`)),
      })),
    ),
  };
}
