import type { ClusterObject, ClusterObjects } from '../../../../components/cluster/clusterObjects';
import type { Clock } from '../../../../components/resource/clock';

/** A clock that moves only while somebody sleeps. */
export class StepClock implements Clock {
  constructor(private time = Date.UTC(2026, 0, 1)) {}

  now(): number {
    return this.time;
  }

  sleep(milliseconds: number): Promise<void> {
    this.time += milliseconds;
    return Promise.resolve();
  }

  /** Seconds since it was made. */
  get seconds(): number {
    return (this.time - Date.UTC(2026, 0, 1)) / 1000;
  }
}

/** A `Ready` condition as the operator writes it. */
export interface GivenCondition {
  readonly status?: 'True' | 'False';
  readonly severity?: 'Info' | 'Warning' | 'Error';
  readonly reason?: string;
  readonly message?: string;
  readonly observedGeneration?: number;
}

/** A custom resource of the operator with a `Ready` condition, or with none. */
export function customResourceWith(condition?: GivenCondition, generation = 1): ClusterObject {
  const ready = {
    type: 'Ready',
    status: 'False',
    reason: 'Reconciling',
    message: '',
    observedGeneration: generation,
    ...condition,
  };
  return {
    apiVersion: 'storage.azure.com/v20250601',
    kind: 'StorageAccount',
    metadata: { name: 'orders-files', namespace: 'orders', generation },
    ...(condition !== undefined && { status: { conditions: [ready] } }),
  };
}

/** A cluster that answers one after the other, and the last from then on; an error is thrown. */
export function answering(...answers: (ClusterObject | Error | undefined)[]): Pick<ClusterObjects, 'get'> {
  let asked = 0;
  return {
    get: () => {
      const answer = answers[Math.min(asked++, answers.length - 1)];
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
  };
}
