import type * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import type { ManagedIdentity } from '../../components/identity/managedIdentity';
import { selfReader } from '../../components/identity/selfReader';
import { CertManager } from '../../components/platform/certManager';
import { ServiceOperator } from '../../components/platform/serviceOperator';
import {
  certManagerChart,
  serviceOperatorChart,
  workloadIdentityWebhookChart,
} from '../../components/platform/vendorCharts';
import { WorkloadIdentityWebhook } from '../../components/platform/workloadIdentityWebhook';
import type { StackSettings } from '../settings/schema';
import type { Cloud } from '../settings/clouds';
import type { ClusterPlan } from '../plan';
import { platformChart } from '../plan/chartSource';
import type { IdentityContext } from './identities';
import { trustedIdentity } from './identities';

/** What the platform of a cluster is made with. */
export interface PlatformContext {
  readonly clusterName: string;
  readonly settings: StackSettings;
  readonly plan: ClusterPlan;
  readonly tenantId: pulumi.Output<string>;
  readonly cloud: Cloud;
  /** Subscription in which the service operator makes resources unless they say otherwise. */
  readonly subscriptionId: pulumi.Output<string>;
  /** kubeconfig of an administrator, by which the cluster is asked whether what is installed works. */
  readonly kubeconfig: pulumi.Output<string>;
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
}: PlatformContext): pulumi.Resource[] {
  if (plan.settings.mode !== 'external') return [];
  const { workloadIdentityWebhook: given } = settings;
  const webhook = new WorkloadIdentityWebhook(
    `${clusterName}-workload-identity-webhook`,
    {
      tenantId,
      source: platformChart(given, workloadIdentityWebhookChart),
      ...(given.replicas !== undefined && { replicaCount: given.replicas }),
    },
    asComponentOptions(inCluster),
  );
  return [webhook];
}

/** The service operator of a cluster. */
export interface Operator {
  /** Name of its identity in the stack. */
  readonly key: string;
  readonly identity: ManagedIdentity;
  /** Its release, once it works. */
  readonly ready: pulumi.Output<pulumi.Resource>;
}

/** cert-manager and the service operator, unless others bring them; `webhook` is what pods that sign in wait for. */
export function deployPlatform(
  { cloud, clusterName, settings, plan, subscriptionId, kubeconfig, inCluster }: PlatformContext,
  identities: IdentityContext,
  webhook: readonly pulumi.Resource[],
): Operator | undefined {
  const options = asComponentOptions(inCluster);
  const given = settings.certManager;
  const certManager = given.install
    ? new CertManager(
        `${clusterName}-cert-manager`,
        {
          source: platformChart(given, certManagerChart),
          ...(given.replicas !== undefined && { replicaCount: given.replicas }),
          kubeconfig,
        },
        options,
      )
    : undefined;
  if (plan.operator === undefined || !settings.serviceOperator.install) return undefined;
  const { identity, before } = trustedIdentity(identities, plan.operator);
  const { replicas, crdPattern } = settings.serviceOperator;
  const { ready } = new ServiceOperator(
    `${clusterName}-service-operator`,
    {
      identity,
      subscriptionId,
      ...(cloud.operator !== undefined && { cloud: cloud.operator }),
      source: platformChart(settings.serviceOperator, serviceOperatorChart),
      ...(replicas !== undefined && { replicaCount: replicas }),
      ...(crdPattern !== undefined && { crdPattern }),
      furtherPatterns: [...plan.crdPatterns],
      kubeconfig,
      // An existing one is not changed, and may be in another subscription than the operator reads from.
      ...(plan.operator.existing === undefined && {
        selfReading: {
          identity,
          location: settings.location,
          right: selfReader(`${plan.operator.key}/itself`, identity, settings.imported?.roleAssignments).id,
        },
      }),
    },
    pulumi.mergeOptions(options, {
      dependsOn: [...webhook, ...before, ...(certManager === undefined ? [] : [certManager.ready])],
    }),
  );
  return { key: plan.operator.key, identity, ready };
}

/** A component hands a list of providers down to its children. */
function asComponentOptions({
  provider,
  ...options
}: PlatformContext['inCluster']): pulumi.ComponentResourceOptions {
  return { ...options, providers: [provider] };
}
