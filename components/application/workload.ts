import * as pulumi from '@pulumi/pulumi';
import { checkedArguments } from '../azure/arguments';
import { oneOf } from '../resource/argumentValues';
import { workloadAccounts } from './accounts';
import { workloadProblems } from './arguments';
import type { WorkloadArgs } from './arguments';
import { chartRelease } from './chart';
import { credentialSecret } from './credentialSecret';
import { imageDeployment } from './deployment';
import { deploymentRuns, releaseRuns } from './running';
import { deliveredSecrets } from './secretProviderClass';

/**
 * An application on one cluster: service accounts with its identity's ids, and the pods that run under the first. Put what
 * it needs in Azure (trust, grants) into `dependsOn` of the component's options.
 */
export class Workload extends pulumi.ComponentResource {
  /** Name of the namespace. */
  readonly namespace: pulumi.Output<string>;
  /** Name of the service account that the pods run under. */
  readonly serviceAccount: pulumi.Output<string>;
  /**
   * Name of the Deployment, or of the release of the application's chart, once its pods are ready. Empty if others deploy
   * it.
   */
  readonly running: pulumi.Output<string>;

  constructor(name: string, args: WorkloadArgs, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:application:Workload', name, {}, opts);
    args = checkedArguments('Workload', name, args, workloadProblems);
    const { image, chart, deployedByOthers } = args;
    const runs = oneOf({ image, chart, deployedByOthers });
    const children = { parent: this, deletedWith: opts?.deletedWith };
    const accounts = workloadAccounts(name, args, children);
    const parts = {
      secrets: deliveredSecrets(name, args, children),
      credential: credentialSecret(name, args, children),
    };
    this.namespace = pulumi.output(args.namespace);
    this.serviceAccount = accounts[0].metadata.apply((metadata) => metadata.name);
    if (runs.kind === 'chart')
      this.running = releaseRuns(args, chartRelease(name, args, runs.value, accounts, parts, children));
    else if (runs.kind === 'image') {
      const deployment = imageDeployment(name, args, runs.value, this.serviceAccount, parts, children);
      this.running = deploymentRuns(args, deployment);
    } else this.running = pulumi.output('');
    this.registerOutputs({
      namespace: this.namespace,
      serviceAccount: this.serviceAccount,
      running: this.running,
    });
  }
}
