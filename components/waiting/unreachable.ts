import { messageOf } from '../resource/errors';
import type { Cluster } from './cluster';
import { ClusterAnswerError } from './cluster';

/**
 * The variable by which Pulumi's provider for Kubernetes leaves what is in a cluster as it is if the cluster does not answer
 * (`skipUpdateUnreachable`).
 */
export const skipUnreachable = 'PULUMI_K8S_SKIP_UPDATE_UNREACHABLE';

/** Whether an update goes on without the clusters that do not answer. */
export const skipsUnreachable = (): boolean => process.env[skipUnreachable] === 'true';

/** Why a cluster does not answer; undefined if it does, be it by a refusal. */
export async function unreachable(cluster: Cluster): Promise<string | undefined> {
  try {
    await cluster.issuer();
    return undefined;
  } catch (error) {
    return error instanceof ClusterAnswerError ? undefined : messageOf(error);
  }
}
