import type { Cluster } from './cluster';
import { ClusterAnswerError } from './cluster';

/**
 * Variable that makes Pulumi's Kubernetes provider leave the contents of a cluster unchanged if the cluster does not answer
 * (`skipUpdateUnreachable`).
 */
export const skipUnreachable = 'PULUMI_K8S_SKIP_UPDATE_UNREACHABLE';

/** Tells whether an update continues without clusters that do not answer. */
export const skipsUnreachable = (): boolean => process.env[skipUnreachable] === 'true';

/** Resolves if a cluster answers, even with a refusal; rejects if it does not. */
export async function answersAtAll(cluster: Cluster): Promise<{ readonly answer: true }> {
  await cluster.issuer().catch((error: unknown) => {
    if (!(error instanceof ClusterAnswerError)) throw error;
  });
  return { answer: true };
}
