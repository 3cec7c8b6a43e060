import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Instance } from '../daemon/instance';
import { readServing } from '../daemon/runFile';
import { ArmClient, type ListedCluster } from './armClient';
import { logFile, requireServing } from './cloud';
import { VisibleError } from './visibleError';

/** What `cloud status --json` prints. */
export interface CloudStatus {
  running: boolean;
  pid?: number;
  startedAt?: string;
  azurePort?: number;
  proxyPort?: number;
  /** The folder in which the state is, or would be. */
  state: string;
  /** Whether there is any: a stopped command may have left the folder empty. */
  stateExists: boolean;
  log: string;
  clusters: ListedCluster[];
}

export async function cloudStatus(instance: Instance): Promise<CloudStatus> {
  const stateExists = existsSync(instance.credentialsFile) || existsSync(instance.pulumiBackend);
  const places = { state: instance.folder, stateExists, log: logFile(instance) };
  const run = readServing(instance.runFile);
  if (run === undefined) return { running: false, ...places, clusters: [] };
  const { pid, startedAt, azurePort, proxyPort } = run;
  const clusters = await new ArmClient(instance, run).clusters();
  return { running: true, pid, startedAt, azurePort, proxyPort, ...places, clusters };
}

export function renderStatus(status: CloudStatus): string {
  if (!status.running) {
    return status.stateExists
      ? `The local cloud is not running; its state is kept in ${status.state}. Continue with \`make up\`.\n`
      : 'The local cloud is not running, and it has no state yet. Deploy everything with `make up`, or start it alone with `npx aks-wi cloud start`.\n';
  }
  const clusters =
    status.clusters.length === 0
      ? ['  no cluster']
      : status.clusters.map(({ name, provisioningState }) => `  ${name}: ${provisioningState}`);
  return [
    `The local cloud is running since ${status.startedAt ?? '?'} (process ${status.pid ?? '?'}).`,
    `  Azure   https://127.0.0.1:${status.azurePort ?? '?'}`,
    `  proxy   http://127.0.0.1:${status.proxyPort ?? '?'}`,
    `  state   ${status.state}`,
    `  log     ${status.log}`,
    'Clusters:',
    ...clusters,
    '',
  ].join('\n');
}

/** Writes the cluster's kubeconfig and gives its path. */
export async function writeKubeconfig(instance: Instance, name: string): Promise<string> {
  const client = new ArmClient(instance, requireServing(instance));
  const clusters = await client.clusters();
  const cluster = clusters.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase());
  if (cluster === undefined) {
    throw new VisibleError(
      `There is no cluster '${name}'.`,
      clusters.length === 0
        ? 'There is none at all yet: run `make up`.'
        : `The clusters are: ${clusters.map((candidate) => candidate.name).join(', ')}.`,
    );
  }
  const text = await client.kubeconfig(cluster);
  mkdirSync(instance.kubeconfigsDir, { recursive: true, mode: 0o700 });
  const file = path.join(instance.kubeconfigsDir, cluster.name);
  writeFileSync(`${file}.${process.pid}`, text, { mode: 0o600 });
  renameSync(`${file}.${process.pid}`, file);
  return file;
}
