import { CoreV1Api, KubeConfig, type CoreV1Event } from '@kubernetes/client-node';
import { classifyFailure } from '../../verification/failure';
import type { DeployedOutputs } from '../stackOutputs';

/** What aad-pod-identity's controller did for pods of an application. */
export interface BindingEvent {
  readonly cluster: string;
  readonly application: string;
  readonly time: Date;
  /** `binding applied`, `binding removed` or an error. */
  readonly reason: string;
  readonly message: string;
}

export const eventsKept =
  'Of applications that sign in by aad-pod-identity, Kubernetes keeps events for an hour, and tells who was assigned which identity; which tokens were given is in the log of the node component only.';

/**
 * The events at the bindings of the stack's applications that sign in by aad-pod-identity, the newest first. What a cluster
 * does not answer is noted.
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
  const bound = workloads.filter(
    ({ signIn, identity }) =>
      signIn !== undefined && (readers === undefined || readers.includes(identity.principalId.toLowerCase())),
  );
  if (bound.length > 0) note(eventsKept);
  const found = await Promise.all(
    bound.map(async ({ cluster, application, namespace }) => {
      try {
        const events = await list(kubeconfigs[cluster] ?? '', namespace, application);
        return events.map(({ reason = '', message = '', ...one }) => ({
          ...{ cluster, application, reason, message },
          time: new Date(one.lastTimestamp ?? one.eventTime ?? one.metadata.creationTimestamp ?? 0),
        }));
      } catch (error) {
        note(`The events of ${application} on ${cluster} cannot be read: ${classifyFailure(error).text}`);
        return [];
      }
    }),
  );
  return found
    .flat()
    .filter(({ time }) => time >= since)
    .sort((one, other) => other.time.getTime() - one.time.getTime());
}

async function listEvents(kubeconfig: string, namespace: string, binding: string): Promise<CoreV1Event[]> {
  const config = new KubeConfig();
  config.loadFromString(kubeconfig);
  const fieldSelector = `involvedObject.name=${binding}`;
  const { items } = await config.makeApiClient(CoreV1Api).listNamespacedEvent({ namespace, fieldSelector });
  // The controller writes the kind with its version before it: v1.AzureIdentityBinding.
  return items.filter(({ involvedObject }) => /(^|\.)AzureIdentityBinding$/.test(involvedObject.kind ?? ''));
}
