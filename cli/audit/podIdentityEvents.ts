import {
  CoreV1Api,
  createConfiguration,
  KubeConfig,
  ServerConfiguration,
  type CoreV1Event,
} from '@kubernetes/client-node';
import { interactiveSignIn } from '../../components/waiting/interactiveSignIn';
import { timeoutAfter } from '../../components/waiting/requestTimeout';
import { podIdentityGroup, tokenEventSource } from '../../components/podIdentity/names';
import { classifyFailure } from '../../verification/failure';
import type { DeployedOutputs } from '../stackOutputs';

/** An event of aad-pod-identity for the pods of an application: of its controller, or a token request. */
export interface BindingEvent {
  readonly cluster: string;
  readonly application: string;
  /** Time of the last occurrence. */
  readonly time: Date;
  readonly times: number;
  /** `binding applied`, `binding removed` or an error of the controller; `TokenIssued` or `TokenRefused`. */
  readonly reason: string;
  readonly message: string;
}

export const eventsKept =
  'For applications that sign in with aad-pod-identity, Kubernetes keeps events for an hour: assignments of identities, and issued and refused tokens. Node tokens for excepted pods have no events.';

/**
 * Lists the events of the applications' bindings, the newest first, on clusters where an application signs in with
 * aad-pod-identity. It includes applications that signed in this way earlier. Clusters that cannot be read are noted.
 *
 * @param readers object ids of the selected identities. Default: all
 */
export async function bindingEvents(
  { workloads, kubeconfigs }: Pick<DeployedOutputs, 'workloads' | 'kubeconfigs'>,
  readers: readonly string[] | undefined,
  since: Date,
  note: (text: string) => unknown,
  list = listEvents,
): Promise<BindingEvent[]> {
  const selected = workloads.filter(
    ({ identity }) => readers === undefined || readers.includes(identity.principalId.toLowerCase()),
  );
  const withPodIdentity = new Set(
    workloads.flatMap(({ cluster, signIn }) => (signIn === undefined ? [] : cluster)),
  );
  const clusters = [...new Set(selected.map(({ cluster }) => cluster))].filter((cluster) =>
    withPodIdentity.has(cluster),
  );
  const lists = await Promise.all(
    clusters.map(async (cluster) => {
      const kubeconfig = kubeconfigs[cluster] ?? '';
      const unreadable = (reason: string) => {
        note(`The events of aad-pod-identity on ${cluster} cannot be read: ${reason}`);
        return [];
      };
      const interactive = interactiveSignIn(kubeconfig);
      if (interactive !== undefined)
        return unreadable(`its kubeconfig ${interactive.what}. ${interactive.hint}`);
      try {
        const events = await list(kubeconfig);
        return events.flatMap(({ reason = '', message = '', involvedObject, ...event }) =>
          selected
            .filter(
              (workload) =>
                workload.cluster === cluster &&
                workload.namespace === involvedObject.namespace &&
                workload.application === involvedObject.name,
            )
            .map(({ application }) => ({
              ...{ cluster, application, reason, message, times: event.count ?? 1 },
              time: new Date(event.lastTimestamp ?? event.eventTime ?? event.metadata.creationTimestamp ?? 0),
            })),
        );
      } catch (error) {
        return unreadable(classifyFailure(error).text);
      }
    }),
  );
  const events = lists.flat().filter(({ time }) => time >= since);
  if (events.length > 0 || selected.some(({ signIn }) => signIn !== undefined)) note(eventsKept);
  return events.sort((a, b) => b.time.getTime() - a.time.getTime());
}

/** Timeout of a request to a cluster. The audit continues without it. */
const timeoutMs = 10_000;

/** Lists the events of all bindings, including deleted ones: a removal is an event too. */
async function listEvents(kubeconfig: string): Promise<CoreV1Event[]> {
  const config = new KubeConfig();
  config.loadFromString(kubeconfig);
  const core = new CoreV1Api(
    createConfiguration({
      baseServer: new ServerConfiguration(config.getCurrentCluster()?.server ?? '', {}),
      authMethods: { default: config },
      promiseMiddleware: [timeoutAfter(timeoutMs)],
    }),
  );
  // The sources of the controller's events (aad-pod-identity pkg/mic/mic.go) and of this project's.
  const lists = await Promise.all(
    [podIdentityGroup, tokenEventSource].map((source) =>
      core.listEventForAllNamespaces({ fieldSelector: `source=${source}` }),
    ),
  );
  const items = lists.flatMap((eventList) => eventList.items);
  // The controller prefixes the kind with its version: v1.AzureIdentityBinding.
  return items.filter(({ involvedObject }) => /(^|\.)AzureIdentityBinding$/.test(involvedObject.kind ?? ''));
}
