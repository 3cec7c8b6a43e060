import type {
  V1DaemonSet,
  V1DaemonSetStatus,
  V1Deployment,
  V1DeploymentCondition,
  V1DeploymentSpec,
  V1DeploymentStatus,
  V1Pod,
  V1StatefulSet,
  V1StatefulSetSpec,
} from '@kubernetes/client-node' with {
  'resolution-mode': 'import',
};
import { accessWithin, mayBeDelayed } from '../azure/accessDelay';
import { firstFew } from '../resource/firstFew';
import type { Cluster, ObjectReference } from '../waiting/cluster';
import type { Look, Question } from '../waiting/wait';

type Workload = V1Deployment | V1StatefulSet | V1DaemonSet;

/** State of the access that pods wait for. `refused`: it never comes, and an error reports where it was refused. */
export type AccessState = 'awaited' | 'granted' | 'refused';

/** An object that replaces its pods in steps: a Deployment, a StatefulSet or a DaemonSet. */
export interface RolledOut extends ObjectReference {
  /**
   * Generation of the object that the stack deployed. If it differs, somebody has changed the object, and the update does
   * not wait for its pods.
   */
  readonly generation?: number | undefined;
}

/**
 * Returns the question whether all pods of the Deployments, StatefulSets and DaemonSets are ready. They get as much time as
 * the engine gives, starting when they have access to all dependencies; until then, they wait. The answer is false if
 * access is refused.
 */
export function areReady(
  application: string,
  workloads: readonly RolledOut[],
  access: () => AccessState,
): Question<boolean> {
  return {
    problem: `the pods of ${application} are not ready`,
    limitMs: accessWithin * 1000,
    hint: `See their events and logs (\`kubectl describe pods\`), and run the update again. ${mayBeDelayed}`,
    async look(cluster): Promise<Look<boolean>> {
      const now = access();
      if (now === 'refused') return { answer: false };
      const reasons = await Promise.all(workloads.map((workload) => unready(cluster, workload)));
      const missing = firstFew([...new Set(reasons.flat())]);
      if (now === 'awaited') return { missing: missing || 'the dependencies', untimed: true };
      return missing === '' ? { answer: true } : { missing };
    },
  };
}

/** Returns why pods of one of them are not ready; empty if all are ready and have its newest template. */
async function unready(cluster: Cluster, { generation, ...reference }: RolledOut): Promise<string[]> {
  const found = await cluster.get<Workload>(reference);
  const { kind, namespace = '', name } = reference;
  if (found === undefined) return [`${kind} ${namespace}/${name} does not exist`];
  if (generation !== undefined && found.metadata?.generation !== generation) return [];
  if (isRolledOut(found, kind)) return [];
  const labels = Object.entries(found.spec?.selector.matchLabels ?? {});
  const pods = await cluster.list<V1Pod>({ apiVersion: 'v1', kind: 'Pod', namespace });
  const own = pods.filter(({ metadata }) =>
    labels.every(([label, value]) => metadata?.labels?.[label] === value),
  );
  const reasons = own.flatMap(whyNotReady);
  return reasons.length > 0 ? reasons : [`${kind} ${namespace}/${name} has not created its pods yet`];
}

/** Tells whether the object is rolled out by Helm's rules. Objects that are paused or only updated by hand are ignored. */
function isRolledOut({ metadata, spec, status = {} }: Workload, kind: string): boolean {
  if ((status.observedGeneration ?? 0) < (metadata?.generation ?? 1)) return false;
  const {
    updateStrategy,
    replicas: wanted = 1,
    paused,
  } = (spec ?? {}) as Partial<V1StatefulSetSpec & V1DeploymentSpec>;
  // All its pods were ready once. An update that changes nothing in them does not wait for their later state.
  if (kind === 'Deployment' && status.conditions?.some(isComplete) === true) return true;
  const byHand = updateStrategy?.type === 'OnDelete' || paused === true;
  if (kind === 'DaemonSet') {
    const {
      desiredNumberScheduled = 0,
      updatedNumberScheduled = 0,
      numberAvailable = 0,
    } = status as Partial<V1DaemonSetStatus>;
    return (
      (byHand || updatedNumberScheduled >= desiredNumberScheduled) &&
      numberAvailable >= desiredNumberScheduled
    );
  }
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = status as V1DeploymentStatus;
  const partition = updateStrategy?.rollingUpdate?.partition ?? 0;
  const isUpdated = updatedReplicas >= wanted - partition && (partition > 0 || replicas <= updatedReplicas);
  return (byHand || isUpdated) && availableReplicas >= wanted;
}

/**
 * Tells whether the condition is Kubernetes' mark of a complete rollout (kubernetes pkg/controller/deployment/progress.go).
 */
function isComplete({ type, status, reason }: V1DeploymentCondition): boolean {
  return type === 'Progressing' && status === 'True' && reason === 'NewReplicaSetAvailable';
}

/** Returns what the pod's containers wait for, or else what its conditions report. */
function whyNotReady({ metadata, status }: V1Pod): string[] {
  const conditions = status?.conditions ?? [];
  if (conditions.some(({ type, status: is }) => type === 'Ready' && is === 'True')) return [];
  const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  const waiting = containers.flatMap(({ name, state, lastState }) => {
    const { reason, message } = state?.waiting ?? {};
    // Its message differs at each crash and does not contain the cause. It is not a refusal either: a container may crash
    // until it has access.
    if (reason === 'CrashLoopBackOff') {
      const { name: pod = '', namespace = '' } = metadata ?? {};
      const code = lastState?.terminated?.exitCode;
      const ended = code === undefined ? 'ended' : `ended with exit code ${code}`;
      return [
        `${reason}: container ${name} of pod ${pod} ${ended}: \`kubectl logs ${pod} --container ${name} --namespace ${namespace} --previous\``,
      ];
    }
    // `PodInitializing` and `ContainerCreating` have no message.
    return reason === undefined ? [] : [message === undefined ? reason : `${reason}: ${message}`];
  });
  if (waiting.length > 0) return [...new Set(waiting)];
  const unmet = conditions.find(({ status: is, message }) => is === 'False' && message !== undefined);
  return [unmet?.message ?? `pod ${metadata?.name ?? ''} is ${status?.phase ?? 'not started'}`];
}
