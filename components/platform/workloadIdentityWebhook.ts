import * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { checkedArguments } from '../azure/arguments';
import { workloadIdentityWebhookNamespace } from '../identity/subjects';
import type { ChartSource } from './chart';
import { chartArgs } from './chart';
import { workloadIdentityWebhookChart } from './vendorCharts';

/** Arguments of WorkloadIdentityWebhook. */
export interface WorkloadIdentityWebhookArgs {
  /** Entra tenant that issues the pods' tokens. */
  readonly tenantId: pulumi.Input<string>;
  /** Replicas of the webhook. Default: 2. */
  readonly replicaCount?: number;
  /** Source of the chart. Default: 1.6.0 from the vendor's repository. */
  readonly source?: ChartSource;
}

/**
 * The webhook that gives pods the token and the variables for Entra, a Helm release. Managed clusters already have it. Pods
 * that are created before it lack both, and no error is reported. Therefore, everything that signs in with workload identity
 * depends on the component.
 */
export class WorkloadIdentityWebhook extends pulumi.ComponentResource {
  /** Status of the release. */
  readonly status: pulumi.Output<string>;

  constructor(name: string, args: WorkloadIdentityWebhookArgs, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:platform:WorkloadIdentityWebhook', name, {}, opts);
    args = checkedArguments('WorkloadIdentityWebhook', name, args);
    const release = new kubernetes.helm.v3.Release(
      name,
      {
        ...chartArgs(args.source ?? workloadIdentityWebhookChart),
        name: 'workload-identity-webhook',
        namespace: workloadIdentityWebhookNamespace,
        createNamespace: true,
        values: { azureTenantID: args.tenantId, replicaCount: args.replicaCount ?? 2 },
        timeout: 600,
      },
      { parent: this, deletedWith: opts?.deletedWith },
    );
    this.status = release.status.status;
    this.registerOutputs({ status: this.status });
  }
}
