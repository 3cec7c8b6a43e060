import * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { sharedFate } from '../resource/sharedFate';
import type { ChartSource } from './chart';
import { chartArgs } from './chart';
import { certManagerChart } from './vendorCharts';
import { certManagerAnswers } from './certManagerGate';
import type { GateArgs } from './gate';
import { gate } from './gate';

/** Arguments of CertManager. */
export interface CertManagerArgs {
  /**
   * Where the chart comes from.
   * @default v1.21.2 from the vendor's repository
   */
  readonly source?: ChartSource;
  /**
   * Replicas of the controller, the webhook and the injector each.
   * @default 1, as the chart's
   */
  readonly replicaCount?: number;
  /**
   * How the cluster is asked whether the API answers.
   * @default it is not: what helm waits for has to do
   */
  readonly gate?: GateArgs;
}

/**
 * cert-manager, a Helm release. Ready pods alone say too little (pulumi-kubernetes-cert-manager #18: the first update
 * fails on the webhook, the second works). So the chart's `startupapicheck` creates a certificate as a dry run, through
 * the webhook, and helm waits for that hook; and, since it runs only when the release is made or changed, `ready` asks
 * the API at each update.
 */
export class CertManager extends pulumi.ComponentResource {
  /** The release. */
  readonly release: kubernetes.helm.v3.Release;
  /** The release once its API answers: what makes certificates depends on it. */
  readonly ready: pulumi.Output<pulumi.Resource>;

  constructor(name: string, args: CertManagerArgs = {}, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:platform:CertManager', name, {}, opts);
    const replicas = args.replicaCount ?? 1;
    this.release = new kubernetes.helm.v3.Release(
      name,
      {
        ...chartArgs(args.source ?? certManagerChart),
        // Said, since Pulumi would otherwise add random characters to it.
        name: 'cert-manager',
        namespace: 'cert-manager',
        createNamespace: true,
        values: {
          crds: { enabled: true },
          replicaCount: replicas,
          webhook: { replicaCount: replicas },
          cainjector: { replicaCount: replicas },
          startupapicheck: { enabled: true, timeout: '5m' },
        },
        waitForJobs: true,
        timeout: 600,
      },
      { parent: this, ...sharedFate(opts) },
    );
    const { gate: asked } = args;
    this.ready =
      asked === undefined
        ? pulumi.output(this.release)
        : gate(this.release, this.release.status, asked, (cluster, waiting) =>
            certManagerAnswers(`CertManager ${name}`, cluster, waiting),
          ).apply(() => this.release);
    // The engine has the program wait for outputs, also where nothing depends on `ready`.
    this.registerOutputs({ status: this.ready.apply(() => this.release.status) });
  }
}
