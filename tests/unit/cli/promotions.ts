import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { PromoteFlags } from '../../../cli/promote/command';
import { promote } from '../../../cli/promote/command';
import { readStackOutputs } from '../../../cli/stackOutputs';
import { UserError } from '../../../cli/userError';
import { verifyDeployed, type Verified } from '../../../cli/verify/run';
import type { HostedClusterOutput } from '../../../stacks/outputs/hostedClusterOutput';
import type { StackOutputs, WorkloadOutput } from '../../../stacks/outputs/outputs';
import { releaseDigest } from '../../../stacks/settings/releases/digest';
import { stackText, withProject } from './projectFolder';
import { refusalOf } from './refusal';

// Promotions in tests, which mock cli/stackOutputs and cli/verify/run.

export const orders = `name: orders
environments:
  dev: '1.1.0' # new
  prod: '1.0.0'
releases:
  '1.0.0': { image: 'x/y:1.0', secrets: [orders-db] }
  '1.1.0': { image: 'x/y:1.1', secrets: [orders-db, orders-key] }
`;
export const billing = orders.replaceAll('orders', 'billing');
export const both =
  '{ name: orders, release: ./applications/orders.yaml }, { name: billing, release: ./applications/billing.yaml }';
export const files = {
  'Pulumi.dev.yaml': stackText('dev', both),
  'Pulumi.prod.yaml': stackText('prod', both),
  'applications/orders.yaml': orders,
  'applications/billing.yaml': billing,
};

const identity = { name: 'id', id: '/id', clientId: 'c', principalId: 'p' };

export function workload(application: string, more: Partial<WorkloadOutput> = {}): WorkloadOutput {
  return {
    cluster: 'aks-1',
    application,
    version: '1.1.0',
    digest: releaseDigest({ image: 'x/y:1.1', secrets: [`${application}-key`, `${application}-db`] }),
    namespace: application,
    serviceAccount: application,
    serviceAccounts: [application],
    identity,
    identitiesBeside: [],
    issuer: 'https://issuer/',
    subject: `system:serviceaccount:${application}:${application}`,
    audience: 'api://AzureADTokenExchange',
    hasPods: true,
    windows: [],
    grants: [`${application}-db`, `${application}-key`].map((secret) => ({ vault: 'kv-dev', secret })),
    ...more,
  };
}

function outputsWith(workloads: WorkloadOutput[], hostedClusters: HostedClusterOutput[]): StackOutputs {
  return {
    environment: 'dev',
    tenantId: 't',
    subscriptionId: 's',
    resourceGroup: 'rg-dev',
    resourceGroups: [],
    vaults: {},
    clusters: {},
    kubeconfigs: {},
    workloads,
    dependencies: [],
    identities: [],
    groups: [],
    hostedClusters,
  };
}

const passed: Verified = {
  workloads: [],
  hosted: [],
  groups: [],
  checks: [],
  notes: [],
  report: { checks: [], passed: 9, failed: 0 },
};
export const failed: Verified = { ...passed, report: { checks: [], passed: 8, failed: 1 } };

export interface Case {
  flags?: Partial<PromoteFlags>;
  project?: Record<string, string>;
  workloads?: WorkloadOutput[];
  hostedClusters?: HostedClusterOutput[];
  verified?: Verified;
}

/** Shows a promotion: how it ends, what it writes, the files that it changes and what it asks. */
export async function shown(example: Case) {
  const { result, after, left, verify, readOutputs, ...written } = await run(example);
  const before: Record<string, string> = example.project ?? files;
  const changed = Object.entries(after).filter(([name, text]) => text !== before[name]);
  const calls = { outputs: readOutputs, verification: verify };
  return {
    ...(result && { refused: await refusalOf(() => Promise.reject(result)) }),
    ...written,
    ...Object.fromEntries(changed),
    temporary: left.filter((name) => !/^\w+\.yaml$/.test(name)),
    asked: Object.entries(calls).map(([name, { mock }]) => `${name}: ${mock.calls.length}`),
  };
}

/** Runs a promotion and gives what it wrote and did; of the project's files, what became of them. */
async function run({ flags = {}, project = files, workloads, hostedClusters, verified = passed }: Case) {
  return withProject(project, async (folder) => {
    const text = { stdout: '', stderr: '' };
    const verify = jest.mocked(verifyDeployed).mockResolvedValue(verified);
    const readOutputs = jest
      .mocked(readStackOutputs)
      .mockResolvedValue(
        outputsWith(workloads ?? [workload('orders'), workload('billing')], hostedClusters ?? []),
      );
    jest.spyOn(process, 'cwd').mockReturnValue(folder);
    for (const stream of ['stdout', 'stderr'] as const) {
      jest.spyOn(process[stream], 'write').mockImplementation((part) => {
        text[stream] += String(part);
        return true;
      });
    }
    const flagsOf = { from: 'dev', to: 'prod', yes: true, dryRun: false, timeout: 0, ...flags };
    const result = await promote(flagsOf).catch((error: unknown) => {
      if (error instanceof UserError) return error;
      throw error;
    });
    const after = Object.fromEntries(
      Object.keys(project).map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]),
    );
    return {
      result,
      ...text,
      after,
      verify,
      readOutputs,
      left: readdirSync(path.join(folder, 'applications')),
    };
  });
}
