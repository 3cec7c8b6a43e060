import os from 'node:os';
import { ownVariables } from '../../stacks/settings/ownVariables';

/** A lock in a backend of files or blobs, as the engine names it (pulumi 3.257). */
const lockLine = /: created by \S*@(\S+) \(pid (\d+)\) at /g;

/** A pod of the namespace. */
export interface Pod {
  readonly name: string;
  /** Set by an Indexed Job: its own name and the index. */
  readonly hostName: string | undefined;
  /** True if none of its containers runs any more. */
  readonly ended: boolean;
}

/**
 * Returns why a lock may still be in use; undefined if it was left by a killed pod of the same index of the same Job. A Job
 * runs an index once at a time, but a Job that was deleted may still have pods: the API server is asked for them.
 * @param output what the engine wrote about the lock
 * @param host name of this host. In a pod of an Indexed Job, the names of the Job and of the index
 * @param podsIn returns all pods of a namespace
 */
export async function whyInUse(
  output: string,
  env: NodeJS.ProcessEnv,
  host: string = os.hostname(),
  podsIn: (namespace: string) => Promise<readonly Pod[]> = listPods,
): Promise<string | undefined> {
  const { [ownVariables.pod]: name, [ownVariables.namespace]: namespace } = env;
  if (!name || !namespace) return 'this is not the pod of a JobSet';
  const [lock, ...others] = [...output.matchAll(lockLine)];
  if (lock === undefined || others.length > 0) return 'there is not exactly one lock';
  const [, holder = '', pid = ''] = lock;
  if (holder !== host) return `the lock is of ${holder}, and this is ${host}`;
  if (isRunning(Number(pid))) return `process ${pid}, which has the lock, is running`;
  let pods: readonly Pod[];
  try {
    pods = await podsIn(namespace);
  } catch (error) {
    return `the pods of the namespace ${namespace} cannot be listed: ${error instanceof Error ? error.message : String(error)}`;
  }
  const own = pods.find((pod) => pod.name === name);
  if (own?.hostName === undefined) return 'this is not the pod of an Indexed Job';
  const other = pods.find((pod) => pod !== own && pod.hostName === own.hostName && !pod.ended);
  return other && `the pod ${other.name} of the same index has not ended`;
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
    ended: ['Succeeded', 'Failed'].includes(status?.phase ?? ''),
  }));
}
