import type { KubernetesObject } from '@kubernetes/client-node' with { 'resolution-mode': 'import' };
import type { Cluster } from '../../../../components/waiting/cluster';
import { clusters } from '../../../../components/waiting/cluster';
import type { OperatorResource } from '../../../../components/waiting/condition';
import type { Question } from '../../../../components/waiting/wait';
import { ask, clock } from '../../../../components/waiting/wait';

const start = Date.UTC(2026, 0, 1);

/** Makes the clock of all waits one that moves only while somebody sleeps; it is what it was after the test. */
export function testClock(): {
  readonly slept: number[];
  readonly start: number;
  readonly seconds: () => number;
} {
  const slept: number[] = [];
  let now = start;
  jest.spyOn(clock, 'now').mockImplementation(() => now);
  jest.spyOn(clock, 'sleep').mockImplementation((milliseconds) => {
    slept.push(milliseconds);
    now += milliseconds;
    return Promise.resolve();
  });
  return { slept, start, seconds: () => (now - start) / 1000 };
}

/** The outcome of a question: the answer or the error's message, the reports, and how long it took. */
export async function asking<T>(question: Question<T>, cluster: Cluster) {
  const { slept, seconds } = testClock();
  const reported: string[] = [];
  const outcome = await ask(cluster, question, (missing) => reported.push(missing)).then(
    (answer) => ({ answer, error: undefined }),
    (error: unknown) => ({
      answer: undefined,
      error: error instanceof Error ? error.message : String(error),
    }),
  );
  return { ...outcome, reported, slept, seconds: seconds() };
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

/** The parts of a cluster that a test gives; objects of any kind. */
export interface ClusterParts {
  readonly get?: (...args: Parameters<Cluster['get']>) => Promise<KubernetesObject | undefined>;
  readonly list?: (...args: Parameters<Cluster['list']>) => Promise<readonly KubernetesObject[]>;
  readonly issuer?: Cluster['issuer'];
  readonly dryRun?: Cluster['dryRun'];
}

/** A cluster of which only what a test asks for answers. */
export function clusterOf(parts: ClusterParts): Cluster {
  const nothing = () => Promise.reject(new Error('nobody should ask this'));
  return { get: nothing, list: nothing, issuer: nothing, dryRun: nothing, ...parts } as Cluster;
}

/** A cluster in which everything is there and ready but namespaces, which stacks make. */
export const readyCluster = clusterOf({
  get: ({ apiVersion, kind, namespace, name }) =>
    Promise.resolve(
      apiVersion === 'v1' && kind === 'Namespace'
        ? undefined
        : {
            ...{ apiVersion, kind, metadata: { name, namespace } },
            ...{
              spec: { replicas: 0 },
              status: { observedGeneration: 1, conditions: [{ type: 'Ready', status: 'True' }] },
            },
          },
    ),
  list: () => Promise.resolve([]),
  dryRun: () => Promise.resolve(undefined),
});

/** Leads all connections of the program to one cluster. Returns the kubeconfigs that it connects with. */
export function connectingTo(cluster: Cluster | ((kubeconfig: string) => Promise<Cluster>)): string[] {
  const kubeconfigs: string[] = [];
  jest.spyOn(clusters, 'connect').mockImplementation((kubeconfig) => {
    kubeconfigs.push(kubeconfig);
    return typeof cluster === 'function' ? cluster(kubeconfig) : Promise.resolve(cluster);
  });
  return kubeconfigs;
}

/** A `Ready` condition as the operator writes it. */
export interface ReadyCondition {
  readonly status?: 'True' | 'False';
  readonly severity?: 'Info' | 'Warning' | 'Error';
  readonly reason?: string;
  readonly message?: string;
  readonly observedGeneration?: number;
}

/** A custom resource of the operator, of generation 2, with a `Ready` condition or with none. */
export function customResourceWith(condition?: ReadyCondition): OperatorResource {
  const ready = {
    type: 'Ready',
    status: 'False',
    reason: 'Reconciling',
    message: '',
    observedGeneration: 2,
    ...condition,
  };
  return {
    apiVersion: 'storage.azure.com/v20250601',
    kind: 'StorageAccount',
    metadata: { name: 'orders-files', namespace: 'orders', generation: 2 },
    ...(condition !== undefined && { status: { id: 'id in Azure', conditions: [ready] } }),
  };
}
