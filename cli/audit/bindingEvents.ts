import {
  CoreV1Api,
  createConfiguration,
  KubeConfig,
  ServerConfiguration,
  type CoreV1Event,
} from '@kubernetes/client-node';
import { podIdentityGroup, tokenEventSource } from '../../stacks/offline';
import { classifyFailure } from '../../verification/failure';
import type { DeployedOutputs } from '../stackOutputs';

/** What aad-pod-identity's controller did for pods of an application, and which tokens these got. */
export interface BindingEvent {
  readonly cluster: string;
  readonly application: string;
  /** Of the last, if there were more in a minute. */
  readonly time: Date;
  readonly times: number;
  /** `binding applied`, `binding removed` or an error of the controller; `TokenIssued` or `TokenRefused`. */
  readonly reason: string;
  readonly message: string;
}

export const eventsKept =
  'Of applications that sign in by aad-pod-identity, Kubernetes keeps events for an hour: who was assigned which identity, and which tokens were given and refused. Tokens of the node for excepted pods are in no event.';

/**
 * The events at the bindings of the stack's applications, the newest first: of clusters where one of the stack signs in by
 * aad-pod-identity, also of those there that did before. What a cluster does not answer is noted.
 *
 * @param readers object ids of the identities that are asked for; undefined: all
 */
export async function bindingEvents(
  { workloads, kubeconfigs }: Pick<DeployedOutputs, 'workloads' | 'kubeconfigs'>,
  readers: readonly string[] | undefined,
  since: Date,
  note: (text: string) => unknown,
  list = listEvents,
): Promise<BindingEvent[]> {
  const asked = workloads.filter(
    ({ identity }) => readers === undefined || readers.includes(identity.principalId.toLowerCase()),
  );
  const bound = new Set(workloads.flatMap(({ cluster, signIn }) => (signIn === undefined ? [] : cluster)));
  const clusters = [...new Set(asked.map(({ cluster }) => cluster))].filter((one) => bound.has(one));
  const found = await Promise.all(
    clusters.map(async (cluster) => {
      try {
        const events = await list(kubeconfigs[cluster] ?? '');
        return events.flatMap(({ reason = '', message = '', involvedObject, ...one }) =>
          asked
            .filter(
              ({ namespace, application, ...at }) =>
                at.cluster === cluster &&
                namespace === involvedObject.namespace &&
                application === involvedObject.name,
            )
            .map(({ application }) => ({
              ...{ cluster, application, reason, message, times: one.count ?? 1 },
              time: new Date(one.lastTimestamp ?? one.eventTime ?? one.metadata.creationTimestamp ?? 0),
            })),
        );
      } catch (error) {
        note(`The events of aad-pod-identity on ${cluster} cannot be read: ${classifyFailure(error).text}`);
        return [];
      }
    }),
  );
  const events = found.flat().filter(({ time }) => time >= since);
  if (events.length > 0 || asked.some(({ signIn }) => signIn !== undefined)) note(eventsKept);
  return events.sort((one, other) => other.time.getTime() - one.time.getTime());
}

/** For how long a cluster may take to answer: the audit goes on without it. */
const timeoutMs = 10_000;

/** Also of bindings that are gone: the removal is an event too. */
async function listEvents(kubeconfig: string): Promise<CoreV1Event[]> {
  const config = new KubeConfig();
  config.loadFromString(kubeconfig);
  const core = new CoreV1Api(
    createConfiguration({
      baseServer: new ServerConfiguration(config.getCurrentCluster()?.server ?? '', {}),
      authMethods: { default: config },
      promiseMiddleware: [
        {
          pre: (request) => {
            request.setSignal(AbortSignal.timeout(timeoutMs));
            return Promise.resolve(request);
          },
          post: (response) => Promise.resolve(response),
        },
      ],
    }),
  );
  // The component by which the controller signs its events (aad-pod-identity pkg/mic/mic.go), and that of this project.
  const lists = await Promise.all(
    [podIdentityGroup, tokenEventSource].map((source) =>
      core.listEventForAllNamespaces({ fieldSelector: `source=${source}` }),
    ),
  );
  const items = lists.flatMap((one) => one.items);
  // The controller writes the kind with its version before it: v1.AzureIdentityBinding.
  return items.filter(({ involvedObject }) => /(^|\.)AzureIdentityBinding$/.test(involvedObject.kind ?? ''));
}
