import type { Cluster } from './cluster';
import { ClusterAnswerError } from './cluster';

/**
 * The variable by which Pulumi's provider for Kubernetes leaves what is in a cluster as it is if the cluster does not answer
 * (`skipUpdateUnreachable`).
 */
export const skipUnreachable = 'PULUMI_K8S_SKIP_UPDATE_UNREACHABLE';

/** Whether an update goes on without the clusters that do not answer. */
export const skipsUnreachable = (): boolean => process.env[skipUnreachable] === 'true';

/** Looks at whether a cluster answers, be it by a refusal. Throws if it does not. */
export async function answersAtAll(cluster: Cluster): Promise<{ readonly answer: true }> {
  await cluster.issuer().catch((error: unknown) => {
    if (!(error instanceof ClusterAnswerError)) throw error;
  });
  return { answer: true };
}
