import * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { checkedArguments } from '../azure/arguments';
import type { ChartSource } from './chart';
import { chartArgs } from './chart';
import { certManagerChart } from './vendorCharts';

/** Arguments of CertManager. */
export interface CertManagerArgs {
  /** Source of the chart. Default: v1.21.2 from the vendor's repository. */
  readonly source?: ChartSource;
  /** Replicas of each: the controller, the webhook and the injector. Default: 1, as in the chart. */
  readonly replicaCount?: number;
}

/**
 * cert-manager, a Helm release. Ready pods are not enough (pulumi-kubernetes-cert-manager #18: the first update fails on the
 * webhook, the second succeeds). Therefore, the chart's `startupapicheck` creates a certificate as a dry run, through the
 * webhook, and helm waits for that hook. The hook runs only when the release is installed: ServiceOperator checks the API
 * itself at each update.
 */
export class CertManager extends pulumi.ComponentResource {
  /** Status of the release, once its API answers. */
  readonly status: pulumi.Output<string>;

  constructor(name: string, args: CertManagerArgs = {}, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:platform:CertManager', name, {}, opts);
    args = checkedArguments('CertManager', name, args);
    const replicas = args.replicaCount ?? 1;
    const release = new kubernetes.helm.v3.Release(
      name,
      {
        ...chartArgs(args.source ?? certManagerChart),
        // Set explicitly, because Pulumi would otherwise add random characters to the name.
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
      { parent: this, deletedWith: opts?.deletedWith },
    );
    this.status = release.status.status;
    this.registerOutputs({ status: this.status });
  }
}
