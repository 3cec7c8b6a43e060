import type { ClusterObject, ClusterObjects } from '../cluster/clusterObjects';
import { fieldsOf, itemsOf } from '../cluster/fields';
import { waitUntil } from '../cluster/waiting';
import type { Clock } from '../resource/clock';
import { messageOf } from '../resource/errors';

/** What the rollout of a deployment is watched with. */
export interface RolloutWatch {
  readonly objects: Pick<ClusterObjects, 'get' | 'list'>;
  readonly clock: Clock;
  /** Told when there is something new to tell. */
  readonly report: (text: string) => void;
  /** Milliseconds without progress after which it is given up, as Kubernetes does (`progressDeadlineSeconds`). */
  readonly deadline: number;
}

export const rolloutDeadline = 10 * 60_000;

const pauseMs = 2_000;

/** Why it does not come. */
export class NotRolledOut extends Error {}

/**
 * Waits until all pods of a deployment are available. The time begins now, and not when the deployment was made: until the
 * services that its pods need were there, no pod could start.
 */
export async function rolledOut(
  place: { readonly namespace: string; readonly name: string },
  watch: RolloutWatch,
): Promise<void> {
  const { objects, clock, report, deadline } = watch;
  let since = clock.now();
  let counted = '';
  await waitUntil(
    async () => {
      const { done, count, text } = await look(place, objects);
      if (done) return undefined;
      if (count !== undefined && count !== counted) {
        since = clock.now();
        counted = count;
      }
      if (clock.now() - since >= deadline) throw new NotRolledOut(text);
      return text;
    },
    // It ends by what does not go on, however long the whole takes.
    { clock, report, limitMs: Infinity, pauseMs },
  );
}

interface Seen {
  readonly done: boolean;
  /** What goes on while there is progress; undefined if nothing was seen. */
  readonly count?: string;
  readonly text: string;
}

async function look(
  place: { readonly namespace: string; readonly name: string },
  objects: RolloutWatch['objects'],
): Promise<Seen> {
  try {
    const deployment = await objects.get({ apiVersion: 'apps/v1', kind: 'Deployment', ...place });
    const { done, text: count } = progressOf(deployment);
    if (done) return { done, count, text: count };
    const pods = await objects.list({ apiVersion: 'v1', kind: 'Pod', namespace: place.namespace });
    const waiting = pods.filter((pod) => isOf(pod, place.name)).flatMap(waitsFor);
    return { done, count, text: [count, ...waiting].join('; ') };
  } catch (error) {
    // An API server can be away for moments, while it is updated.
    return { done: false, text: `the cluster does not answer: ${messageOf(error)}` };
  }
}

function progressOf(deployment: ClusterObject | undefined): { done: boolean; text: string } {
  if (deployment === undefined) return { done: false, text: 'not there yet' };
  const status = fieldsOf(deployment.status);
  const wanted = number(fieldsOf(deployment.spec).replicas, 1);
  const updated = number(status.updatedReplicas, 0);
  const available = number(status.availableReplicas, 0);
  const old = number(status.replicas, 0) - updated;
  const seen = number(status.observedGeneration, 0) >= (deployment.metadata.generation ?? 0);
  return {
    done: seen && updated >= wanted && available >= wanted && old <= 0,
    text: `${available} of ${wanted} pods available${old > 0 ? `, ${old} old` : ''}`,
  };
}

function isOf({ metadata }: ClusterObject, application: string): boolean {
  return fieldsOf(metadata.labels)['app.kubernetes.io/name'] === application;
}

/** Why a pod does not run, if it says so. */
function waitsFor({ metadata, status }: ClusterObject): string[] {
  const statuses = [
    ...itemsOf(fieldsOf(status).initContainerStatuses),
    ...itemsOf(fieldsOf(status).containerStatuses),
  ];
  const waiting = statuses.map((one) => fieldsOf(fieldsOf(fieldsOf(one).state).waiting));
  const unscheduled = itemsOf(fieldsOf(status).conditions)
    .map(fieldsOf)
    .filter((one) => one.type === 'PodScheduled' && one.status === 'False');
  return [...waiting, ...unscheduled].flatMap(({ reason, message }) =>
    typeof reason !== 'string'
      ? []
      : [
          `${metadata.name}: ${reason}${typeof message === 'string' && message !== '' ? ` (${message})` : ''}`,
        ],
  );
}

function number(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}
