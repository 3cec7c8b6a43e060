import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient } from './api/client';
import { ApiError, isStatus } from './api/client';
import type { Pod } from './api/types';
import type { ClusterPaths } from './controlplane/paths';
import { readIfExists } from './readIfExists';
import { writeWhole } from '../writeWhole';
import type { Helm } from './helm';
import { openHelm } from './helm';
import type { Logger } from '../logger';
import { reason } from '../logger';

/** Namespace of the webhook in AKS. */
const namespace = 'kube-system';
const release = 'azure-wi-webhook';
const configuration =
  '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/azure-wi-webhook-mutating-webhook-configuration';

/** Time limit for the webhook, which creates and distributes its certificate after its start. Slow on a busy machine. */
const answerTimeoutMs = 120_000;

export interface WorkloadIdentityOptions {
  tenantId: string;
  /** File of the chart. */
  chart: string;
  /** Finds the helm program; called only when it is needed. */
  helm: () => Promise<string>;
  /** Kubeconfig of an administrator (YAML). */
  kubeconfig: string;
  client: ApiClient;
  paths: ClusterPaths;
  logger: Logger;
  /** Aborts the wait. */
  signal: AbortSignal;
}

/** Installs or updates the workload identity webhook if necessary, and waits until it responds. */
export async function ensureWorkloadIdentity(options: WorkloadIdentityOptions): Promise<void> {
  const { client, paths, chart, tenantId, logger, signal } = options;
  const values = { replicaCount: '1', azureTenantID: tenantId };
  const digest = createHash('sha256')
    .update(await readFile(chart))
    .update(JSON.stringify(values))
    .digest('hex');
  const installed = (await readIfExists(paths.workloadIdentity))?.trim() === digest && (await exists(client));
  if (!installed) {
    const helm = openHelm({ ...options, program: await options.helm() });
    await removeUnfinished(helm);
    const set = Object.entries(values).flatMap(([name, value]) => ['--set-string', `${name}=${value}`]);
    await helm.run(['upgrade', release, chart, '--install', '--namespace', namespace, ...set]);
    writeWhole(paths.workloadIdentity, `${digest}\n`);
    logger.info('workload identity webhook installed');
  }
  await untilItAnswers(client, paths, signal);
}

/** Uninstalls the webhook if it is installed. */
export async function removeWorkloadIdentity(
  options: Omit<WorkloadIdentityOptions, 'chart' | 'tenantId'>,
): Promise<void> {
  const { paths, logger } = options;
  if ((await readIfExists(paths.workloadIdentity)) === undefined) return;
  const helm = openHelm({ ...options, program: await options.helm() });
  await helm.run(['uninstall', release, '--namespace', namespace, '--ignore-not-found']);
  await rm(paths.workloadIdentity, { force: true });
  logger.info('workload identity webhook removed');
}

async function exists(client: ApiClient): Promise<boolean> {
  try {
    await client.get(configuration);
    return true;
  } catch (error) {
    if (isStatus(error, 404)) return false;
    throw error;
  }
}

/** Deletes a Helm release whose installation was killed, because it would block every later installation. */
async function removeUnfinished(helm: Helm): Promise<void> {
  const releases = await helm.run(['list', '--all', '--namespace', namespace, '--output', 'json']);
  const current = (JSON.parse(releases) as { name: string; status: string }[]).find(
    ({ name }) => name === release,
  );
  if (current && current.status !== 'deployed')
    await helm.run(['uninstall', release, '--namespace', namespace]);
}

/**
 * Waits until a dry run of a labelled pod returns the webhook's variables. The readiness of the webhook's pod proves
 * nothing, because after a restart it comes from the store.
 */
async function untilItAnswers(client: ApiClient, paths: ClusterPaths, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + answerTimeoutMs;
  let last = '';
  while (Date.now() < deadline) {
    try {
      const pod = await client.create<Pod>('/api/v1/namespaces/default/pods', probePod, { dryRun: 'All' });
      const names = pod.spec.containers.flatMap(({ env }) => (env ?? []).map(({ name }) => name));
      if (names.includes('AZURE_FEDERATED_TOKEN_FILE')) return;
      last = 'the API server returns the pod without the injected variables';
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) throw error;
      last = reason(error);
    }
    await delay(100, undefined, { signal });
  }
  throw new Error(
    `the workload identity webhook did not work within ${answerTimeoutMs / 1000} s: ${last}. Its log is in ${paths.podLogs}`,
  );
}

const probePod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { generateName: 'workload-identity-probe-', labels: { 'azure.workload.identity/use': 'true' } },
  spec: { containers: [{ name: 'probe', image: 'probe' }] },
};
