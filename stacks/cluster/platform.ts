import type * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { defaultAudience, serviceOperatorAccount } from '../../components/identity/subjects';
import { CertManager, certManagerChart } from '../../components/platform/certManager';
import { serviceOperatorChart, ServiceOperator } from '../../components/platform/serviceOperator';
import {
  WorkloadIdentityWebhook,
  workloadIdentityWebhookChart,
} from '../../components/platform/workloadIdentityWebhook';
import type { StackSettings } from '../configuration/schema';
import type { ClusterPlan } from '../plan';
import { platformChart } from './chartSource';
import type { IdentityPlace } from './identities';
import { managedIdentity, trust } from './identities';

/** What the platform of a cluster is made with. */
export interface PlatformPlace {
  readonly clusterName: string;
  readonly settings: StackSettings;
  readonly plan: ClusterPlan;
  readonly tenantId: pulumi.Output<string>;
  /** Subscription in which the service operator makes resources unless they say otherwise. */
  readonly subscriptionId: pulumi.Output<string>;
  /** For components in the cluster. */
  readonly inCluster: pulumi.ComponentResourceOptions & { readonly provider: kubernetes.Provider };
}

/** The webhook of workload identity, where the cluster does not bring it: what pods that sign in have to wait for. */
export function deployWebhook({
  clusterName,
  settings,
  plan,
  tenantId,
  inCluster,
}: PlatformPlace): pulumi.Resource[] {
  if (plan.settings.mode !== 'external') return [];
  const { workloadIdentityWebhook: given } = settings;
  const { release } = new WorkloadIdentityWebhook(
    `${clusterName}-workload-identity-webhook`,
    {
      tenantId,
      source: platformChart(given, workloadIdentityWebhookChart),
      ...(given.replicas !== undefined && { replicaCount: given.replicas }),
    },
    asComponentOptions(inCluster),
  );
  return [release];
}

/** cert-manager and the service operator; `webhook` is what pods that sign in wait for. */
export function deployPlatform(
  { clusterName, settings, plan, subscriptionId, inCluster }: PlatformPlace,
  identities: IdentityPlace,
  webhook: readonly pulumi.Resource[],
): void {
  const options = asComponentOptions(inCluster);
  const certManager = new CertManager(
    `${clusterName}-cert-manager`,
    {
      source: platformChart(settings.certManager, certManagerChart),
      ...(settings.certManager.replicas !== undefined && { replicaCount: settings.certManager.replicas }),
    },
    options,
  );
  const identity = managedIdentity(identities, plan.operator);
  const { replicas, crdPattern } = settings.serviceOperator;
  new ServiceOperator(
    `${clusterName}-service-operator`,
    {
      certManager,
      identity,
      trust: trust(identities, plan.operator, identity, [
        { ...serviceOperatorAccount, audience: defaultAudience },
      ]),
      subscriptionId,
      source: platformChart(settings.serviceOperator, serviceOperatorChart),
      ...(replicas !== undefined && { replicaCount: replicas }),
      ...(crdPattern !== undefined && { crdPattern }),
    },
    pulumi.mergeOptions(options, { dependsOn: [...webhook] }),
  );
}

/** A component hands a list of providers down to its children. */
function asComponentOptions({
  provider,
  ...options
}: PlatformPlace['inCluster']): pulumi.ComponentResourceOptions {
  return { ...options, providers: [provider] };
}
