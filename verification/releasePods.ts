import type { KubeConfig, V1LabelSelector, V1ObjectMeta, V1Pod } from '@kubernetes/client-node';
import { AppsV1Api, BatchV1Api, CoreV1Api } from '@kubernetes/client-node';

/** An object that creates pods. */
interface Controller {
  metadata?: V1ObjectMeta;
  spec?: { selector?: V1LabelSelector };
}

/** Returns the pods of all Deployments, StatefulSets, DaemonSets, Jobs and CronJobs of a Helm release. */
export async function podsOfRelease(
  config: KubeConfig,
  namespace: string,
  release: string,
): Promise<V1Pod[]> {
  const apps = config.makeApiClient(AppsV1Api);
  const batch = config.makeApiClient(BatchV1Api);
  const [cronJobs, jobs, ...others] = await Promise.all([
    batch.listNamespacedCronJob({ namespace }),
    batch.listNamespacedJob({ namespace }),
    apps.listNamespacedDeployment({ namespace }),
    apps.listNamespacedStatefulSet({ namespace }),
    apps.listNamespacedDaemonSet({ namespace }),
  ]);
  // Helm annotates its objects, but not those that they create.
  const isOfRelease = ({ metadata }: Pick<Controller, 'metadata'>) =>
    metadata?.annotations?.['meta.helm.sh/release-name'] === release;
  const scheduled = new Set(cronJobs.items.filter(isOfRelease).map(({ metadata }) => metadata?.uid));
  const isScheduled = ({ metadata }: Controller) =>
    metadata?.ownerReferences?.some(({ uid }) => scheduled.has(uid)) ?? false;
  const controllers: Controller[] = [
    ...others.flatMap(({ items }): Controller[] => items).filter(isOfRelease),
    ...jobs.items.filter((job) => isOfRelease(job) || isScheduled(job)),
  ];
  const selectors = controllers
    .map(({ spec }) => Object.entries(spec?.selector?.matchLabels ?? {}))
    .filter((labels) => labels.length > 0);
  const core = config.makeApiClient(CoreV1Api);
  const pods = await Promise.all(
    selectors.map((labels) => {
      const labelSelector = labels.map(([name, value]) => `${name}=${value}`).join();
      return core.listNamespacedPod({ namespace, labelSelector });
    }),
  );
  return pods.flatMap(({ items }) => items);
}
