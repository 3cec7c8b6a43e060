import type { V1Pod } from '@kubernetes/client-node' with { 'resolution-mode': 'import' };
import type { ClusterSpec } from '../../../azure/clusterRuntime';
import type { LocalClusterRuntime } from '../../../kubernetes';

/** The observed value when an expectation of `until` does not hold. */
export class Miss {
  constructor(readonly text: string) {}
}

/** The official client with a cluster's own kubeconfig. */
export async function connect(
  runtime: LocalClusterRuntime,
  cluster: Pick<ClusterSpec, 'id' | 'name'>,
  role: 'admin' | 'user' = 'admin',
) {
  const library = await import('@kubernetes/client-node');
  const config = new library.KubeConfig();
  config.loadFromString(await runtime.kubeconfig(cluster, role));
  return {
    config,
    core: config.makeApiClient(library.CoreV1Api),
    apps: config.makeApiClient(library.AppsV1Api),
    batch: config.makeApiClient(library.BatchV1Api),
    authorization: config.makeApiClient(library.AuthorizationV1Api),
  };
}

export type Client = Awaited<ReturnType<typeof connect>>;

/** Repeats `look` until it returns a value; on a timeout fails with the last `Miss`. */
export async function until<T>(
  condition: string,
  look: () => Promise<T | Miss> | T | Miss,
  timeoutMs = 60_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  let last = '';
  while (Date.now() < deadline) {
    try {
      const seen = await look();
      if (!(seen instanceof Miss)) return seen;
      last = seen.text;
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`not in time: ${condition}; last seen: ${last}`);
}

export const isReady = (pod: V1Pod) =>
  pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;

/** The pod, once `holds` returns true. */
export function podWhen(client: Client, name: string, holds: (pod: V1Pod) => boolean, namespace = 'default') {
  return until(`pod ${name}`, async () => {
    const pod = await client.core.readNamespacedPod({ name, namespace });
    return holds(pod) ? pod : new Miss(JSON.stringify(pod.status));
  });
}

/** Waits for an event `FailedMount` of the pod whose message contains `part`. */
export function podEvent(client: Client, pod: string, part: string, namespace = 'default') {
  return until(`an event of ${pod}`, async () => {
    const fieldSelector = `involvedObject.name=${pod},reason=FailedMount`;
    const { items } = await client.core.listNamespacedEvent({ namespace, fieldSelector });
    const messages = items.map(({ message }) => message ?? '');
    return messages.find((message) => message.includes(part)) ?? new Miss(messages.join('\n'));
  });
}
