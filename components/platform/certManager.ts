import * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { sharedFate } from '../resource/sharedFate';
import type { ChartSource } from './chart';
import { chartArgs } from './chart';

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
}

/** cert-manager's chart where its vendor publishes it. */
export const certManagerChart: ChartSource = {
  chart: 'cert-manager',
  repository: 'https://charts.jetstack.io',
  version: 'v1.21.2',
};

/**
 * cert-manager, a Helm release. The release is done when its API really answers: the chart's `startupapicheck`
 * creates a certificate as a dry run, through the webhook, and helm waits for that hook. Ready pods alone say
 * too little (pulumi-kubernetes-cert-manager #18: the first update fails on the webhook, the second works).
 */
export class CertManager extends pulumi.ComponentResource {
  /** The release; what depends on it finds the webhook answering. */
  readonly release: kubernetes.helm.v3.Release;

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
    this.registerOutputs({ status: this.release.status });
  }
}
