import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { BINDING_AUDIENCE } from '../azure/arm/resources/identityBindings';
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
  /** The cluster's token proxy, for pods that use identity bindings. */
  proxy: { url: string; /** Name in the TLS handshake. */ name: string };
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
  const { client, paths, chart, tenantId, proxy, logger, signal } = options;
  const values = {
    replicaCount: '1',
    azureTenantID: tenantId,
    'customTokenEndpoint.annotationSuffix': 'identity-binding',
    'customTokenEndpoint.audience': BINDING_AUDIENCE,
    'customTokenEndpoint.azureKubernetesTokenProxy': proxy.url,
    'customTokenEndpoint.azureKubernetesSniName': proxy.name,
    // Kubernetes has this ConfigMap with the cluster's authority in every namespace.
    'customTokenEndpoint.azureKubernetesCAConfigMapName': 'kube-root-ca.crt',
    // A change restarts the webhook, which reads its configuration only at its start.
    'podAnnotations.token-proxy': proxy.url,
  };
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
  await untilItAnswers(client, paths, proxy.url, signal);
}

/** Uninstalls the webhook if it is installed. */
export async function removeWorkloadIdentity(
  options: Omit<WorkloadIdentityOptions, 'chart' | 'tenantId' | 'proxy'>,
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
async function untilItAnswers(
  client: ApiClient,
  paths: ClusterPaths,
  proxyUrl: string,
  signal: AbortSignal,
): Promise<void> {
  const deadline = Date.now() + answerTimeoutMs;
  let last = '';
  while (Date.now() < deadline) {
    try {
      const pod = await client.create<Pod>('/api/v1/namespaces/default/pods', probePod, { dryRun: 'All' });
      const injected = pod.spec.containers.flatMap(({ env }) => env ?? []);
      const hasProxy = injected.some(
        ({ name, value }) => name === 'AZURE_KUBERNETES_TOKEN_PROXY' && value === proxyUrl,
      );
      if (hasProxy) return;
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
  metadata: {
    generateName: 'workload-identity-probe-',
    labels: { 'azure.workload.identity/use': 'true' },
    annotations: { 'azure.workload.identity/use-identity-binding': 'true' },
  },
  spec: { containers: [{ name: 'probe', image: 'probe' }] },
};
