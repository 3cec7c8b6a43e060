import type { CoreV1Event, KubernetesObject } from '@kubernetes/client-node' with {
  'resolution-mode': 'import',
};
import type { Cluster } from '../waiting/cluster';

/** The operator's event for each of its sign-ins, which contains nothing about the resource. */
const ofEachSignIn = 'CredentialFrom';

/**
 * Returns the operator's last event of a custom resource, as `BeginCreateOrUpdate: Successfully sent …`; undefined if there
 * is none, or if the user may not read events.
 */
export async function lastEvent(cluster: Cluster, object: KubernetesObject): Promise<string | undefined> {
  const { namespace, uid } = object.metadata ?? {};
  const kind = { apiVersion: 'v1', kind: 'Event', ...(namespace !== undefined && { namespace }) };
  const all = await cluster.list<CoreV1Event>(kind, `involvedObject.uid=${uid}`).catch(() => []);
  const [last] = all.filter(({ reason }) => reason !== ofEachSignIn).sort((a, b) => timeOf(b) - timeOf(a));
  return last && `${last.reason ?? 'Event'}: ${last.message ?? ''}`;
}

/** Returns the time of an event. A series stores it elsewhere. The client converts times to dates. */
function timeOf({ lastTimestamp, eventTime, series, metadata }: CoreV1Event): number {
  const time = series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? metadata.creationTimestamp;
  return time === undefined ? 0 : new Date(time).getTime();
}
