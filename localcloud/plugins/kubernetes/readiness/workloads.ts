import { at, numberAt, textAt } from '../json';
import type { JsonObject } from '../json';
import { describePod, describeWorkloadPods, isPodReady } from './pods';
import type { Observation, Readiness, ReadinessCheck } from './readiness';
import { conditionOf, describeCondition, failed, isReady, notReady } from './readiness';

/** Checks a deployment. It is ready when every replica is available in the newest revision (`kubectl rollout status`). */
export const deployment: ReadinessCheck = (observation) => {
  const { object } = observation;
  const desired = numberAt(object, ['spec', 'replicas'], 1);
  const updated = numberAt(object, ['status', 'updatedReplicas'], 0);
  const available = numberAt(object, ['status', 'availableReplicas'], 0);
  const existing = numberAt(object, ['status', 'replicas'], 0);
  if (!isObserved(object)) return notReady('waiting for the controller');
  const progress = `${Math.min(updated, available)} of ${desired} replicas ready`;
  const progressing = conditionOf(object, 'Progressing');
  if (textAt(progressing, 'reason') === 'ProgressDeadlineExceeded') {
    return failed(progress, () => workloadReasons(observation, progress));
  }
  if (updated >= desired && existing <= updated && available >= desired) return isReady;
  return pending(
    observation,
    existing > updated ? `${progress}, ${existing - updated} old replicas still running` : progress,
  );
};

export const statefulSet: ReadinessCheck = (observation) => {
  const { object } = observation;
  const desired = numberAt(object, ['spec', 'replicas'], 1);
  const ready = numberAt(object, ['status', 'readyReplicas'], 0);
  if (!isObserved(object)) return notReady('waiting for the controller');
  const onDelete = textAt(object, 'spec', 'updateStrategy', 'type') === 'OnDelete';
  const partition = numberAt(object, ['spec', 'updateStrategy', 'rollingUpdate', 'partition'], 0);
  const updated = numberAt(object, ['status', 'updatedReplicas'], 0);
  if (ready >= desired && (onDelete || updated >= desired - partition)) return isReady;
  return pending(observation, `${ready} of ${desired} replicas ready`);
};

export const daemonSet: ReadinessCheck = (observation) => {
  const { object } = observation;
  if (!isObserved(object)) return notReady('waiting for the controller');
  const desired = numberAt(object, ['status', 'desiredNumberScheduled'], 0);
  const available = numberAt(object, ['status', 'numberAvailable'], 0);
  const updated = numberAt(object, ['status', 'updatedNumberScheduled'], 0);
  const onDelete = textAt(object, 'spec', 'updateStrategy', 'type') === 'OnDelete';
  if (available >= desired && (onDelete || updated >= desired)) return isReady;
  return pending(observation, `${available} of ${desired} nodes ready`);
};

export const pod: ReadinessCheck = ({ cluster, object }) => {
  if (isPodReady(object)) return isReady;
  const phase = textAt(object, 'status', 'phase') ?? 'Pending';
  const reasons = (): Promise<string[]> => describePod(cluster, object);
  return { ready: false, failed: phase === 'Failed', progress: `phase ${phase}`, reasons };
};

export const job: ReadinessCheck = (observation) => {
  const { object } = observation;
  if (at(object, 'spec', 'suspend') === true) return isReady;
  if (textAt(conditionOf(object, 'Complete'), 'status') === 'True') return isReady;
  const failure = conditionOf(object, 'Failed');
  const desired = numberAt(object, ['spec', 'completions'], 1);
  const progress = `${numberAt(object, ['status', 'succeeded'], 0)} of ${desired} completions`;
  if (failure !== undefined && textAt(failure, 'status') === 'True') {
    return failed(progress, () =>
      workloadReasons(observation, `the job failed: ${describeCondition(failure)}`),
    );
  }
  return pending(observation, progress);
};

function isObserved(object: JsonObject): boolean {
  return (
    numberAt(object, ['status', 'observedGeneration'], 0) >= numberAt(object, ['metadata', 'generation'], 1)
  );
}

function pending(observation: Observation, progress: string): Readiness {
  return { ready: false, progress, reasons: () => workloadReasons(observation, progress) };
}

async function workloadReasons({ cluster, object }: Observation, progress: string): Promise<string[]> {
  const conditions = ['ReplicaFailure', 'Progressing', 'Available'].flatMap((type) => {
    const condition = conditionOf(object, type);
    const bad = type === 'ReplicaFailure' ? 'True' : 'False';
    return condition !== undefined && textAt(condition, 'status') === bad
      ? [describeCondition(condition)]
      : [];
  });
  return [progress, ...conditions, ...(await describeWorkloadPods(cluster, object))];
}
