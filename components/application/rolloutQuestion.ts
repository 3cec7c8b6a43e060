import type { V1Deployment, V1Pod } from '@kubernetes/client-node' with { 'resolution-mode': 'import' };
import type { Question } from '../waiting/wait';

/**
 * Asks whether all pods of a deployment are available. The engine asks that too, but its time begins when the deployment is
 * made, and no pod starts before the services that it needs are there.
 */
export function isRolledOut(namespace: string, name: string): Question<true> {
  return {
    problem: `Deployment ${namespace}/${name} is not available`,
    // Without progress, as `progressDeadlineSeconds` of Kubernetes.
    limitMs: 10 * 60_000,
    remedy: `See \`kubectl describe pods --namespace ${namespace}\`, correct the application and run the update again.`,
    async look(cluster) {
      const deployment = await cluster.get<V1Deployment>({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        namespace,
        name,
      });
      if (deployment === undefined) return { missing: 'it does not exist yet' };
      const { done, progress } = progressOf(deployment);
      if (done) return { answer: true };
      const pods = await cluster.list<V1Pod>({ apiVersion: 'v1', kind: 'Pod', namespace });
      const own = pods.filter(({ metadata }) => metadata?.labels?.['app.kubernetes.io/name'] === name);
      return { missing: [progress, ...own.flatMap(reasonsOf)].join('; '), progress };
    },
  };
}

function progressOf({ metadata, spec, status }: V1Deployment): { done: boolean; progress: string } {
  const { replicas: wanted = 1 } = spec ?? {};
  const { observedGeneration = 0, replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = status ?? {};
  const old = replicas - updatedReplicas;
  const seen = observedGeneration >= (metadata?.generation ?? 0);
  return {
    done: seen && updatedReplicas >= wanted && availableReplicas >= wanted && old <= 0,
    progress: `${availableReplicas} of ${wanted} pods available${old > 0 ? `, ${old} old` : ''}`,
  };
}

/** Why a pod does not run, as far as it says so. */
function reasonsOf({ metadata, status }: V1Pod): string[] {
  const { initContainerStatuses = [], containerStatuses = [], conditions = [] } = status ?? {};
  const reasons = [
    ...[...initContainerStatuses, ...containerStatuses].map(({ state }) => state?.waiting),
    ...conditions.filter((one) => one.type === 'PodScheduled' && one.status === 'False'),
  ];
  return reasons.flatMap((one) => {
    if (one?.reason === undefined) return [];
    const { reason, message = '' } = one;
    return [`${metadata?.name ?? ''}: ${reason}${message === '' ? '' : ` (${message})`}`];
  });
}
