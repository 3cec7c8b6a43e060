import { messageOf } from '../resource/errors';
import type { Cluster } from './cluster';
import { ClusterAnswerError } from './cluster';

/**
 * Variable that makes Pulumi's Kubernetes provider leave the contents of a cluster as they are if the cluster does not answer
 * (`skipUpdateUnreachable`).
 */
export const skipUnreachable = 'PULUMI_K8S_SKIP_UPDATE_UNREACHABLE';

/** Whether an update continues without clusters that do not answer. */
export const skipsUnreachable = (): boolean => process.env[skipUnreachable] === 'true';

/** Returns why a cluster does not answer; undefined if it does, even with a refusal. */
export async function unreachable(cluster: Cluster): Promise<string | undefined> {
  try {
    await cluster.issuer();
    return undefined;
  } catch (error) {
    return error instanceof ClusterAnswerError ? undefined : messageOf(error);
  }
}
