import * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import type { CertManager } from './certManager';
import type { ChartSource } from './chart';
import { chartArgs } from './chart';
import { crdPattern } from './crdPattern';
import { InvalidArgumentError } from '../resource/errors';
import { sharedFate } from '../resource/sharedFate';
import type { FederatedCredentials } from '../identity/federatedCredentials';
import type { ManagedIdentity } from '../identity/managedIdentity';
import { serviceOperatorAccount } from '../identity/subjects';

/** Arguments of ServiceOperator. */
export interface ServiceOperatorArgs {
  /** The cluster's cert-manager: the operator's webhooks cannot be called without its certificates. */
  readonly certManager: CertManager;
  /** The identity that the operator acts as. One of its own, so that no application has its rights. */
  readonly identity: Pick<ManagedIdentity, 'clientId' | 'tenantId'>;
  /** The trust of that identity in `serviceOperatorAccount`; the operator does not start before it. */
  readonly trust: FederatedCredentials;
  /** Subscription in which it makes resources, unless a namespace or a resource says otherwise. */
  readonly subscriptionId: pulumi.Input<string>;
  /**
   * Which custom resources it installs: patterns over `group/kind`, separated by semicolons. Never empty: the
   * operator exits if it has none to install.
   * @default `resources.azure.com/*`
   */
  readonly crdPattern?: string;
  /**
   * Replicas of the operator, one of which acts.
   * @default 2
   */
  readonly replicaCount?: number;
  /**
   * Where the chart comes from.
   * @default 2.19.0 from the vendor's repository
   */
  readonly source?: ChartSource;
}

/** Azure Service Operator's chart where its vendor publishes it. */
export const serviceOperatorChart: ChartSource = {
  chart: 'azure-service-operator',
  repository: 'https://raw.githubusercontent.com/Azure/azure-service-operator/main/v2/charts',
  version: '2.19.0',
};

/** Azure Service Operator v2, a Helm release that signs in by workload identity. */
export class ServiceOperator extends pulumi.ComponentResource {
  /** The release: done when the operator's pods are ready. */
  readonly release: kubernetes.helm.v3.Release;

  constructor(name: string, args: ServiceOperatorArgs, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:platform:ServiceOperator', name, {}, opts);
    const installed = args.crdPattern ?? 'resources.azure.com/*';
    assertCrdPattern(name, installed);
    this.release = new kubernetes.helm.v3.Release(
      name,
      {
        ...chartArgs(args.source ?? serviceOperatorChart),
        name: 'azure-service-operator',
        namespace: serviceOperatorAccount.namespace,
        createNamespace: true,
        values: {
          useWorkloadIdentityAuth: true,
          azureTenantID: args.identity.tenantId,
          azureSubscriptionID: args.subscriptionId,
          azureClientID: args.identity.clientId,
          crdPattern: installed,
          replicaCount: args.replicaCount ?? 2,
        },
        timeout: 600,
      },
      { parent: this, dependsOn: [args.certManager.release, ...args.trust.credentials], ...sharedFate(opts) },
    );
    this.registerOutputs({ status: this.release.status });
  }
}

function assertCrdPattern(name: string, pattern: string): void {
  if (crdPattern.test(pattern)) return;
  throw new InvalidArgumentError({
    component: `ServiceOperator ${name}`,
    argument: 'crdPattern',
    value: pattern,
    problem: 'names no custom resources',
    allowed:
      '`group/kind` patterns separated by semicolons, such as "resources.azure.com/*;keyvault.azure.com/*"',
  });
}
