import type { ClusterApi, ClusterObject } from '../../../../components/cluster/clusterObjects';
import type { Clock } from '../../../../components/resource/clock';

/** A clock that moves only when somebody sleeps by it. */
export function testClock(): Clock & { readonly slept: number[] } {
  const slept: number[] = [];
  let now = 0;
  return {
    slept,
    now: () => now,
    sleep: (milliseconds) => {
      slept.push(milliseconds);
      now += milliseconds;
      return Promise.resolve();
    },
  };
}

/** Answers one after the other; the last again and again. What is an error is thrown. */
export function answers<T>(...all: readonly (T | Error)[]): () => Promise<T> {
  let next = 0;
  return () => {
    const answer = all[Math.min(next, all.length - 1)];
    next += 1;
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer as T);
  };
}

/** A cluster of which only what a test asks for answers. */
export function clusterOf(parts: Partial<ClusterApi>): ClusterApi {
  const nothing = () => Promise.reject(new Error('nobody should ask this'));
  return { get: nothing, create: nothing, list: nothing, groups: nothing, kinds: nothing, ...parts };
}

/** A custom resource of the operator with a condition of its generation 2. */
export function withReady(condition: Readonly<Record<string, unknown>> | undefined): ClusterObject {
  return {
    apiVersion: 'managedidentity.azure.com/v1api20230131',
    kind: 'UserAssignedIdentity',
    metadata: { name: 'x', namespace: 'y', generation: 2 },
    status: {
      conditions: condition === undefined ? [] : [{ type: 'Ready', observedGeneration: 2, ...condition }],
    },
  };
}
