import { devOpsJobs, gitHubJobs, type PipelineJob } from '../support/pipelineFiles';

/** Settings of a stack in the group that bootstrap makes. */
export const settings = (stack: string, id: string) => ({
  // As the variable group of the environment has it.
  ...{ location: '$(WI_LOCATION)', resourceGroup: { existing: id }, protect: false, retainOnDelete: false },
  vault: {
    name: `kv-pipelines-${stack}`,
    publicAccess: true,
    softDeleteRetentionInDays: 7,
    purgeProtection: false,
  },
  clusters: [{ name: `aks-${stack}` }],
  // Its vault is not kept after the tests.
  ...{
    certManager: { install: false },
    serviceOperator: { install: false },
    policies: { production: false },
  },
  applications: [{ name: 'orders', release: './applications/orders.yaml', replicas: 1 }],
});
/** Settings as a stack file has them. */
export const configuration = (prefix: string, values: object) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [`${prefix}:${key}`, value as unknown]));

const release = (secrets: string[]) => ({ image: 'ghcr.io/aks-workload-identity/reader:0.1.0', secrets });
/** The release file of the application. */
export const releases = {
  name: 'orders',
  environments: { dev: '0.2.0', prod: '0.1.0' },
  releases: { '0.1.0': release(['orders-db']), '0.2.0': release(['orders-db', 'orders-key']) },
};

/** Subjects of the tokens of both systems, by environment. */
export const subjectOf = {
  gitHub: (environment: string) => `repo:contoso/identities:environment:${environment}`,
  devOps: (environment: string) => `sc://contoso/identities/aks-workload-identity-${environment}`,
};

/** The identities of the environments, as the settings of bootstrap have them. */
export const identitiesFor = (environments: readonly string[], issuer: string) =>
  environments.map((environment) => ({
    name: `id-pipeline-${environment}`,
    access: /^(preview|grant)(?=-)/.exec(environment)?.[0] ?? 'deploy',
    resourceGroups: [`rg-pipe-${environment.replace(/^(preview|grant)-/, '')}`],
    trusts: [
      { name: 'github', gitHub: { repository: 'contoso/identities', environment, issuer } },
      {
        name: 'devops',
        serviceConnection: { issuer, subject: subjectOf.devOps(environment) },
      },
    ],
  }));

/** Replaces the expressions of both systems in a text. */
export const filled = (text: string, values: Record<string, string>) =>
  text
    .replaceAll(/\$\{\{ (?:vars|secrets|github)\.(\w+) \}\}/g, (_, name: string) => values[name] ?? '')
    .replaceAll(/\$\(([\w.]+)\)/g, (expression: string, name: string) => values[name] ?? expression);

/** The job for access on demand, for the stack that a person chose. */
export function grantJob(system: 'gitHub' | 'devOps', stack: string): PipelineJob {
  const jobs =
    system === 'gitHub'
      ? gitHubJobs('.github/workflows/grant.yml')
      : devOpsJobs('.azure-pipelines/grant.yml');
  const text = JSON.stringify(jobs[0]).replaceAll(/\$\{\{ (inputs|parameters)\.stack \}\}/g, stack);
  return JSON.parse(text) as PipelineJob;
}
