import { createHash } from 'node:crypto';
import { podIdentityApi, tokenEventSource } from '../../components/podIdentity/names';
import type { Binding, ClusterState } from './clusterState';
import { grouped } from './grouped';
import type { TokenRequest } from './requests';

/** A Kubernetes Event about a binding. */
export interface TokenEvent {
  readonly namespace: string;
  readonly name: string;
  /** Number of similar requests in its minute. */
  readonly count: number;
  /** The log may begin within its minute. */
  readonly isPartial: boolean;
  readonly body: { readonly message: string } & Readonly<Record<string, unknown>>;
}

/** The events of one minute, and the number of its requests from pods without a binding. */
export interface Minute {
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly events: readonly TokenEvent[];
  readonly withoutBinding: number;
}

/** Similar requests within a minute of the log share an event: a pod may request in a loop. */
const minute = 60_000;

/** Maximum number of events per pod and minute, in addition to one for the rest: a pod may request any resource. */
const perPod = 20;

const furtherResources = 'further resources';

/** The limit of an event's message in characters (kubernetes pkg/apis/core/validation/events.go). */
const longestMessage = 1024;

const startOf = (time: number): number => Math.floor(time / minute) * minute;

/**
 * Returns the events of the requests by minute. The same lines always give the same events: their names derive from the minute and
 * the requests' common fields.
 * @param node identifies the log
 * @param from milliseconds since 1970; minutes that begin earlier are left out
 * @param begin time of the first line
 */
export function minutesOf(
  requests: readonly TokenRequest[],
  state: Pick<ClusterState, 'bindingsOf' | 'bindingsTo' | 'podNamed'>,
  { node, from, begin }: { node: string; from: number; begin: number | undefined },
): Minute[] {
  const inRange = requests.filter(({ time }) => startOf(time) >= from);
  return [...grouped(inRange, ({ time }) => String(startOf(time))).values()].map((ofMinute) => {
    const start = startOf(ofMinute[0].time);
    const isPartial = begin !== undefined && start <= begin;
    const bound = limited(ofMinute).map((request) => ({ request, bindings: bindingsFor(request, state) }));
    const similar = grouped(
      bound.flatMap(({ request, bindings }) => bindings.map((binding) => ({ request, binding }))),
      ({ request: { reason: _, time: __, ...same }, binding }) => JSON.stringify([binding, same]),
    );
    return {
      start,
      events: [...similar].map(([key, [first, ...more]]) => {
        const times = [first, ...more].map(({ request }) => request.time);
        const hash = createHash('sha256').update(`${node} ${start} ${key}`).digest('hex').slice(0, 16);
        const name = `${first.binding.name.slice(0, 200)}.${hash}`;
        return {
          ...{ namespace: first.binding.namespace, name, count: times.length, isPartial },
          body: eventBody(name, first, times, state),
        };
      }),
      withoutBinding: bound.filter(({ bindings }) => bindings.length === 0).length,
    };
  });
}

/** Replaces the resources of a pod's requests after the first `perPod` different ones. */
function limited(requests: readonly TokenRequest[]): TokenRequest[] {
  const seen = new Map<string, Set<string>>();
  return requests.map((request) => {
    const pod = request.pods.join();
    const keys = seen.get(pod) ?? new Set();
    seen.set(pod, keys);
    const key = JSON.stringify([request.status, request.identities, request.resources]);
    if (keys.size < perPod) keys.add(key);
    return keys.has(key) ? request : { ...request, resources: [furtherResources] };
  });
}

function bindingsFor(
  { identities, pods }: TokenRequest,
  state: Pick<ClusterState, 'bindingsOf' | 'bindingsTo'>,
): Binding[] {
  const bindings =
    identities.length > 0
      ? identities.flatMap((identity) => state.bindingsTo(identity, pods))
      : pods.flatMap((pod) => state.bindingsOf(pod));
  return [...new Map(bindings.map((binding) => [binding.uid, binding])).values()];
}

function eventBody(
  name: string,
  { request, binding }: { readonly request: TokenRequest; readonly binding: Binding },
  times: readonly number[],
  state: Pick<ClusterState, 'podNamed'>,
) {
  const { namespace, uid } = binding;
  const [pod, ...others] = request.pods;
  const related =
    pod === undefined || others.length > 0 ? undefined : podReference(pod, state.podNamed(pod)?.uid);
  const isIssued = request.status < 400;
  return {
    ...{ apiVersion: 'v1', kind: 'Event', metadata: { namespace, name } },
    involvedObject: {
      ...{ apiVersion: podIdentityApi, kind: 'AzureIdentityBinding' },
      ...{ namespace, name: binding.name, uid },
    },
    ...(related && { related }),
    ...(isIssued ? { type: 'Normal', reason: 'TokenIssued' } : { type: 'Warning', reason: 'TokenRefused' }),
    message: messageFor(request),
    source: { component: tokenEventSource },
    ...timesOf(times),
  };
}

/** The fields of an event that change as more requests are read. */
const timesOf = (times: readonly number[]) => ({
  firstTimestamp: seconds(Math.min(...times)),
  lastTimestamp: seconds(Math.max(...times)),
  count: times.length,
});

/** Kubernetes' timestamps have no fractions of seconds. */
const seconds = (time: number): string => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');

function podReference(pod: string, uid: string | undefined) {
  const [namespace, name] = pod.split('/');
  return { apiVersion: 'v1', kind: 'Pod', namespace, name, ...(uid !== undefined && { uid }) };
}

function messageFor({ pods, identities, resources, status, reason }: TokenRequest): string {
  const either = (candidates: readonly string[], prefix: string) =>
    candidates.length === 0 ? '' : ` ${prefix}${candidates.map(printable).join(' or ')}`;
  const details = `${either(identities, 'of identity ')}${either(resources, 'for ')}`;
  const subject = pods.length === 0 ? 'a pod' : `pod${either(pods, '')}`;
  return (
    status < 400
      ? `${subject} got a token${details} (status ${status})`
      : `${subject} was refused a token${details} (status ${status})${reason === undefined ? '' : `: ${shortReason(reason)}`}`
  ).slice(0, longestMessage);
}

/** Returns a string from a pod in a form that is safe to print. */
const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?').slice(0, 250);

/** Returns Entra's code with its sentence, or else the beginning; what follows are request ids. Tokens are removed. */
function shortReason(reason: string): string {
  const [entraError] = /AADSTS\d+: [^.\\]*/.exec(reason) ?? [];
  return printable((entraError ?? reason).replace(/eyJ[\w-]+\.[\w-]+(\.[\w-]*)?/g, '…'));
}
