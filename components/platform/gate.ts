import * as pulumi from '@pulumi/pulumi';
import type { ClusterApi, ConnectCluster } from '../cluster/clusterObjects';
import { connectCluster } from '../cluster/connectCluster';
import { errorAt } from '../resource/errorAt';
import { VisibleError } from '../resource/errors';

/** How what is installed is asked whether it works. */
export interface GateArgs {
  /** kubeconfig of the cluster, as an administrator. */
  readonly kubeconfig: pulumi.Input<string>;
  /**
   * Connects to the cluster.
   * @default by HTTPS
   */
  readonly connect?: ConnectCluster;
}

/** Asks a cluster, and tells what it waits for. */
type Question<T> = (
  cluster: ClusterApi,
  waiting: { report(missing: string): void },
  value: T,
) => Promise<void>;

/**
 * Asks the cluster once `after` is known, which the question gets. A preview asks nothing: it may be of a cluster that is not there
 * yet, and changes nothing that would have to be waited for.
 * @param at the resource that progress and the error are shown at
 * @returns done when the question is answered; depends on what `after` does
 */
export function gate<T>(
  at: pulumi.Resource,
  after: pulumi.Input<T>,
  { kubeconfig, connect = connectCluster }: GateArgs,
  question: Question<pulumi.Unwrap<T>>,
): pulumi.Output<void> {
  return pulumi.all([kubeconfig, after]).apply(async ([given, value]) => {
    if (pulumi.runtime.isDryRun()) return;
    await answered(
      at,
      () => connect(given),
      (cluster, waiting) => question(cluster, waiting, value),
    );
  });
}

/** Asks now. What is meant for the user stands at the resource. */
export async function answered(
  at: pulumi.Resource,
  connect: () => Promise<ClusterApi>,
  question: (cluster: ClusterApi, waiting: { report(missing: string): void }) => Promise<void>,
): Promise<void> {
  const report = (missing: string) => void pulumi.log.info(`Waiting: ${missing}`, at, undefined, true);
  try {
    await question(await connect(), { report });
  } catch (error) {
    if (error instanceof VisibleError) throw errorAt(at, error.message);
    throw error;
  }
}
