import type { ClusterObject, ClusterObjects } from '../cluster/clusterObjects';
import type { Clock } from '../resource/clock';

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

const interval = 2_000;

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
  let told = '';
  let since = clock.now();
  let counted = '';
  for (;;) {
    const deployment = await objects.get({ apiVersion: 'apps/v1', kind: 'Deployment', ...place });
    const { done, text: count } = progressOf(deployment);
    if (done) return;
    const pods = await objects.list({ apiVersion: 'v1', kind: 'Pod', namespace: place.namespace });
    const text = [count, ...pods.filter((pod) => isOf(pod, place.name)).flatMap(waitsFor)].join('; ');
    if (text !== told) report(text);
    told = text;
    if (count !== counted) since = clock.now();
    counted = count;
    if (clock.now() - since >= deadline) throw new NotRolledOut(text);
    await clock.sleep(interval);
  }
}

function progressOf(deployment: ClusterObject | undefined): { done: boolean; text: string } {
  if (deployment === undefined) return { done: false, text: 'not there yet' };
  const status = record(deployment.status);
  const wanted = number(record(deployment.spec).replicas, 1);
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
  return record(metadata.labels)['app.kubernetes.io/name'] === application;
}

/** Why a pod does not run, if it says so. */
function waitsFor({ metadata, status }: ClusterObject): string[] {
  const statuses = [...list(record(status).initContainerStatuses), ...list(record(status).containerStatuses)];
  const waiting = statuses.map((one) => record(record(record(one).state).waiting));
  const unscheduled = list(record(status).conditions)
    .map(record)
    .filter((one) => one.type === 'PodScheduled' && one.status === 'False');
  return [...waiting, ...unscheduled].flatMap(({ reason, message }) =>
    typeof reason !== 'string'
      ? []
      : [
          `${metadata.name}: ${reason}${typeof message === 'string' && message !== '' ? ` (${message})` : ''}`,
        ],
  );
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function number(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}
