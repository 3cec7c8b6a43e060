import type * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import type { ConnectCluster } from '../cluster/clusterObjects';
import type { Clock } from '../resource/clock';
import { realClock } from '../resource/clock';
import { errorAt } from '../resource/errorAt';
import { NotRolledOut, rolledOut, rolloutDeadline } from './rollout';

/** How the cluster is asked whether the pods run. */
export interface RolloutArgs {
  /** kubeconfig of an administrator. */
  readonly kubeconfig: pulumi.Input<string>;
  readonly connect: ConnectCluster;
  /** @default this machine's clock */
  readonly clock?: Clock;
}

/**
 * Name of the deployment, once its pods are available; in a preview, that is not waited for.
 * @param after what its pods need, and wait for
 */
export function awaitRollout(
  deployment: kubernetes.apps.v1.Deployment,
  after: pulumi.Output<void>,
  { kubeconfig, connect, clock = realClock }: RolloutArgs,
): pulumi.Output<string> {
  if (pulumi.runtime.isDryRun()) return deployment.metadata.name;
  return pulumi
    .all([deployment.id, deployment.metadata, kubeconfig, after])
    .apply(async ([, { name, namespace }, given]) => {
      try {
        await rolledOut(
          { namespace, name },
          {
            objects: await connect(given),
            clock,
            deadline: rolloutDeadline,
            report: (text) => void pulumi.log.info(text, deployment, undefined, true),
          },
        );
      } catch (error) {
        if (!(error instanceof NotRolledOut)) throw error;
        throw errorAt(
          deployment,
          `Deployment ${namespace}/${name} made no progress for ${rolloutDeadline / 60_000} minutes: ${error.message}. See \`kubectl describe pods --namespace ${namespace}\`, correct the application and run the update again.`,
        );
      }
      return name;
    });
}
