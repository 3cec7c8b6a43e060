import os from 'node:os';
import type { V1ContainerState } from '@kubernetes/client-node';
import { ownVariables } from '../../stacks/settings/ownVariables';

/** A lock in a backend of files or blobs, as the engine names it (pulumi 3.257). Pulumi's automation API does not say who holds it. */
const lockLine = /: created by \S*@(\S+) \(pid (\d+)\) at (\S+)/g;

/** Name of the container that runs the command. */
export const cellContainer = 'cell';

/** A pod of the namespace. */
export interface Pod {
  readonly name: string;
  /** Set by an Indexed Job: its own name and the index. */
  readonly hostName: string | undefined;
  /** Time in which its container ran, if the kubelet saw it end. */
  readonly ran: { readonly from: Date; readonly to: Date } | undefined;
}

/**
 * Returns why a lock may still be in use; undefined if a killed pod of the same index of the same Job left it. A Job runs an index
 * once at a time, but a deleted Job may still have pods, and a pod that is gone may still run on its node. So the API server must
 * have the pod that took the lock, with the end of its container.
 * @param output what the engine wrote about the lock
 * @param host name of this host. In a pod of an Indexed Job, the names of the Job and of the index
 * @param podsIn returns all pods of a namespace
 */
export async function reasonInUse(
  output: string,
  env: NodeJS.ProcessEnv,
  host: string = os.hostname(),
  podsIn: (namespace: string) => Promise<readonly Pod[]> = listPods,
): Promise<string | undefined> {
  const { [ownVariables.pod]: name, [ownVariables.namespace]: namespace } = env;
  if (!name || !namespace) return 'this is not the pod of a JobSet';
  const [lock, ...others] = [...output.matchAll(lockLine)];
  if (lock === undefined || others.length > 0) return 'there is not exactly one lock that names its host';
  const [, holder = '', pid = '', time = ''] = lock;
  if (holder !== host) return `the lock belongs to ${holder}, not to this host ${host}`;
  // This says something only where pods share a host, as on the local cloud. Otherwise, each pod has process ids of its own.
  if (isRunning(Number(pid))) return `process ${pid}, which holds the lock, is running`;
  let pods: readonly Pod[];
  try {
    pods = await podsIn(namespace);
  } catch (error) {
    return `the pods of the namespace ${namespace} cannot be listed: ${error instanceof Error ? error.message : String(error)}`;
  }
  const own = pods.find((pod) => pod.name === name);
  if (own?.hostName === undefined) return 'this is not the pod of an Indexed Job';
  const before = pods.filter((pod) => pod !== own && pod.hostName === own.hostName);
  const open = before.find(({ ran }) => ran === undefined);
  if (open !== undefined) return `nothing shows that the pod ${open.name} of the same index has ended`;
  const at = new Date(time);
  if (before.some(({ ran }) => ran !== undefined && ran.from <= at && at <= ran.to)) return undefined;
  return `the pod that took the lock at ${time} is gone, so nothing shows that it has ended`;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Asks the API server, signed in as the pod. */
async function listPods(namespace: string): Promise<Pod[]> {
  const { CoreV1Api, KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  config.loadFromDefault();
  const { items } = await config.makeApiClient(CoreV1Api).listNamespacedPod({ namespace });
  return items.map(({ metadata, spec, status }) => ({
    name: metadata?.name ?? '',
    hostName: spec?.hostname,
    ran: ranOf(status?.containerStatuses?.find(({ name }) => name === cellContainer)?.state),
  }));
}

/** Reason that a kubelet writes for the end of a container that it does not find. */
const unknownEnd = 'ContainerStatusUnknown';

/**
 * Returns when a container ran; undefined if its kubelet has not seen it end. The phase of a pod proves no end: for a lost node,
 * the control plane writes it.
 */
export function ranOf(state: V1ContainerState | undefined): Pod['ran'] {
  const { startedAt, finishedAt, reason } = state?.terminated ?? {};
  if (startedAt === undefined || finishedAt === undefined || reason === unknownEnd) return undefined;
  return { from: startedAt, to: finishedAt };
}
