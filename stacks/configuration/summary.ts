import { serviceOperatorAccount } from '../../components/identity/subjects';
import type { Configuration } from './configuration';

/** What a valid configuration comes to: who there is, and who is trusted with what. */
export interface ConfigurationSummary {
  clusters: string[];
  /** With the version that the environment has of it, if the application has releases. */
  applications: { name: string; version?: string }[];
  vaults: { name: string; access: string; secrets: number }[];
  /** Those of the applications first, on each cluster; then the service operator's, if it is installed. */
  identities: IdentitySummary[];
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
    applications: settings.applications.map(({ name }) => {
      const version = versions.get(name);
      return { name, ...(version !== undefined && { version }) };
    }),
    vaults: plan.vaults.map(({ name, access, secrets }) => ({ name, access, secrets: secrets.length })),
    identities: plan.clusters.flatMap(({ settings: { name: cluster }, identities, operator }) => [
      ...identities.map(({ azureName, adopt, subjects, grants }) => ({
        name: adopt ?? azureName,
        cluster,
        trusts: subjects.map(accountName),
        reads: grants.flatMap(({ vault, secrets }) => secrets.map((secret) => `${vault}/${secret}`)),
      })),
      ...(operator === undefined
        ? []
        : [
            {
              name: operator.adopt ?? operator.azureName,
              cluster,
              trusts: [accountName(serviceOperatorAccount)],
              reads: [],
            },
          ]),
    ]),
  };
}

function accountName({ namespace, serviceAccount }: { namespace: string; serviceAccount: string }): string {
  return `${namespace}/${serviceAccount}`;
}
