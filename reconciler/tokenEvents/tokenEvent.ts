import { createHash } from 'node:crypto';
import { podIdentityApi, tokenEventSource } from '../../components/podIdentity/names';
import type { Binding, ClusterState } from './clusterState';
import { grouped } from './grouped';
import type { TokenRequest } from './requests';

/** An Event of Kubernetes at a binding. */
export interface TokenEvent {
  readonly namespace: string;
  readonly name: string;
  /** Requests that are alike in its minute. */
  readonly count: number;
  /** The log may begin in its minute. */
  readonly isPartial: boolean;
  readonly body: { readonly message: string } & Readonly<Record<string, unknown>>;
}

/** Events of one minute, and its requests of pods that have no binding. */
export interface Minute {
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly events: readonly TokenEvent[];
  readonly withoutBinding: number;
}

/** Requests that are alike share an event of a minute, by the log's time: a pod may ask in a loop. */
const minute = 60_000;

/** A pod chooses what it asks for: so many events it has in a minute, and one for the rest. */
const perPod = 20;

const furtherResources = 'further resources';

/** How long an event's message may be (kubernetes pkg/apis/core/validation/events.go). */
const longestMessage = 1024;

const startOf = (time: number): number => Math.floor(time / minute) * minute;

/**
 * The events of the requests. They are the same each time that the same lines are read: their names are made of the minute and
 * of what the requests have in common.
 * @param node what tells this log from others
 * @param from milliseconds since 1970: minutes that begin earlier are left out
 * @param begin time of the first line
 */
export function minutesOf(
  requests: readonly TokenRequest[],
  state: Pick<ClusterState, 'bindingsOf' | 'bindingsTo' | 'podNamed'>,
  { node, from, begin }: { node: string; from: number; begin: number | undefined },
): Minute[] {
  const inRange = requests.filter(({ time }) => startOf(time) >= from);
  return [...grouped(inRange, ({ time }) => String(startOf(time))).values()].map((all) => {
    const start = startOf(all[0].time);
    const isPartial = begin !== undefined && start <= begin;
    const bound = limited(all).map((request) => ({ request, bindings: bindingsFor(request, state) }));
    const alike = grouped(
      bound.flatMap(({ request, bindings }) => bindings.map((binding) => ({ request, binding }))),
      ({ request: { reason: _, time: __, ...same }, binding }) => JSON.stringify([binding, same]),
    );
    return {
      start,
      events: [...alike].map(([key, [first, ...more]]) => {
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

/** The requests, those of a pod after its first different ones without what they ask for. */
function limited(requests: readonly TokenRequest[]): TokenRequest[] {
  const seen = new Map<string, Set<string>>();
  return requests.map((request) => {
    const pod = request.pods.join();
    const others = seen.get(pod) ?? new Set();
    seen.set(pod, others);
    const key = JSON.stringify([request.status, request.identities, request.resources]);
    if (others.size < perPod) others.add(key);
    return others.has(key) ? request : { ...request, resources: [furtherResources] };
  });
}

function bindingsFor(
  { identities, pods }: TokenRequest,
  state: Pick<ClusterState, 'bindingsOf' | 'bindingsTo'>,
): Binding[] {
  const found =
    identities.length > 0
      ? identities.flatMap((one) => state.bindingsTo(one, pods))
      : pods.flatMap((one) => state.bindingsOf(one));
  return [...new Map(found.map((one) => [one.uid, one])).values()];
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

/** The fields of an event that change when more requests are read. */
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
  const either = (all: readonly string[], before: string) =>
    all.length === 0 ? '' : ` ${before}${all.map(printable).join(' or ')}`;
  const what = `${either(identities, 'of identity ')}${either(resources, 'for ')}`;
  const who = pods.length === 0 ? 'a pod' : `pod${either(pods, '')}`;
  return (
    status < 400
      ? `${who} got a token${what} (status ${status})`
      : `${who} was refused a token${what} (status ${status})${reason === undefined ? '' : `: ${shortReason(reason)}`}`
  ).slice(0, longestMessage);
}

/** What a pod has sent is in it. */
const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?').slice(0, 250);

/** Entra's code with its sentence, else the beginning: what follows has ids of the request. A token cannot be in it. */
function shortReason(reason: string): string {
  const [ofEntra] = /AADSTS\d+: [^.\\]*/.exec(reason) ?? [];
  return printable((ofEntra ?? reason).replace(/eyJ[\w-]+\.[\w-]+(\.[\w-]*)?/g, '…'));
}
