import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Instance } from '../daemon/instance';
import { readServing } from '../daemon/runFile';
import { writeWhole } from '../writeWhole';
import { commandLine } from '../project';
import { ArmClient, type ListedCluster } from './armClient';
import { logFile, requireServing } from './cloud';
import { UserError } from '../userError';

/** The output of `cloud status --json`. */
export interface CloudStatus {
  running: boolean;
  pid?: number;
  startedAt?: string;
  azurePort?: number;
  proxyPort?: number;
  /** The state folder, which may not exist. */
  state: string;
  /** True if there is any state. */
  stateExists: boolean;
  log: string;
  clusters: ListedCluster[];
}

/** Tells whether there is any state. The state folder alone is no state, because it may be empty. */
export const hasState = (instance: Pick<Instance, 'credentialsFile' | 'pulumiBackend'>): boolean =>
  existsSync(instance.credentialsFile) || existsSync(instance.pulumiBackend);

export async function cloudStatus(instance: Instance): Promise<CloudStatus> {
  const places = { state: instance.folder, stateExists: hasState(instance), log: logFile(instance) };
  const run = readServing(instance.runFile);
  if (run === undefined) return { running: false, ...places, clusters: [] };
  const { pid, startedAt, azurePort, proxyPort } = run;
  const clusters = await new ArmClient(instance, run).clusters();
  return { running: true, pid, startedAt, azurePort, proxyPort, ...places, clusters };
}

export function renderStatus(status: CloudStatus): string {
  if (!status.running) {
    return status.stateExists
      ? `The local cloud is not running; its state is kept in ${status.state}. Continue with ${commandLine('up')}.\n`
      : `The local cloud is not running, and it has no state yet. Deploy everything with ${commandLine('up')}, or start it alone with ${commandLine('cloud start')}.\n`;
  }
  const clusters =
    status.clusters.length === 0
      ? ['  no cluster']
      : status.clusters.map(
          ({ name, stack, provisioningState }) =>
            `  ${name} (${stack === undefined ? 'no stack' : `stack ${stack}`}): ${provisioningState}`,
        );
  return [
    `The local cloud has been running since ${status.startedAt ?? '?'} (process ${status.pid ?? '?'}).`,
    `  Azure   https://127.0.0.1:${status.azurePort ?? '?'}`,
    `  proxy   http://127.0.0.1:${status.proxyPort ?? '?'}`,
    `  state   ${status.state}`,
    `  log     ${status.log}`,
    'Clusters:',
    ...clusters,
    '',
  ].join('\n');
}

/**
 * Writes the cluster's kubeconfig and returns its path.
 *
 * @param resourceGroup needed only if several clusters have this name
 */
export async function writeKubeconfig(
  instance: Instance,
  name: string,
  resourceGroup?: string,
): Promise<string> {
  const client = new ArmClient(instance, requireServing(instance));
  const cluster = chooseCluster(await client.clusters(), name, resourceGroup);
  const text = await client.kubeconfig(cluster);
  const file = path.join(instance.kubeconfigsDir, cluster.resourceGroup, cluster.name);
  writeWhole(file, text);
  return file;
}

/** Returns the cluster with that name; exported for tests. */
export function chooseCluster(
  clusters: ListedCluster[],
  name: string,
  resourceGroup?: string,
): ListedCluster & { resourceGroup: string } {
  const located = clusters.map((cluster) => ({ ...cluster, resourceGroup: groupOf(cluster) }));
  const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
  const named = located.filter((cluster) => same(cluster.name, name));
  const [match, ...others] = named.filter(
    (cluster) => resourceGroup === undefined || same(cluster.resourceGroup, resourceGroup),
  );
  if (match === undefined) {
    const where = resourceGroup === undefined ? '' : ` in resource group '${resourceGroup}'`;
    throw new UserError(
      `There is no cluster '${name}'${where}.`,
      clusters.length === 0
        ? `There are no clusters yet: run ${commandLine('up')}.`
        : `The clusters are: ${located.map((cluster) => `${cluster.name} (${cluster.resourceGroup})`).join(', ')}.`,
    );
  }
  if (others.length > 0) {
    throw new UserError(
      `There are ${named.length} clusters '${name}'.`,
      `Name the resource group with --resource-group: ${named.map((cluster) => cluster.resourceGroup).join(', ')}.`,
    );
  }
  return match;
}

function groupOf({ id }: ListedCluster): string {
  return /\/resourceGroups\/([^/]+)\//i.exec(id)?.[1] ?? '';
}
