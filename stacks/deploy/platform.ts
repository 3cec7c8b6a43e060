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
import { platformChart } from '../plan/chartSource';
import type { ClusterContext } from './context';
import { trustedIdentity } from './identities';

/** The workload identity webhook, unless the cluster has it already: pods that sign in wait for it. */
export function deployWebhook({ plan, settings, tenantId, inCluster }: ClusterContext): pulumi.Resource[] {
  const { name, mode } = plan.settings;
  const { workloadIdentityWebhook: given } = settings;
  if (mode !== 'external' || !given.install) return [];
  const webhook = new WorkloadIdentityWebhook(
    `${name}-workload-identity-webhook`,
    {
      tenantId,
      source: platformChart(given, workloadIdentityWebhookChart),
      replicaCount: given.replicas,
    },
    inCluster,
  );
  return [webhook];
}

/** cert-manager, unless something else installs it: what needs it depends on these. */
function deployCertManager({ plan, settings, inCluster }: ClusterContext): CertManager[] {
  const given = settings.certManager;
  if (!given.install) return [];
  return [
    new CertManager(
      `${plan.settings.name}-cert-manager`,
      { source: platformChart(given, certManagerChart), replicaCount: given.replicas },
      inCluster,
    ),
  ];
}

/** The service operator of a cluster. */
export interface Operator {
  /** Name of its identity in the stack. */
  readonly key: string;
  readonly identity: ManagedIdentity;
  /** Its release, once it works. */
  readonly ready: pulumi.Output<pulumi.Resource>;
}

/** cert-manager and the service operator, unless something else installs them. The operator's pods wait for `webhook`. */
export function deployPlatform(
  context: ClusterContext,
  webhook: readonly pulumi.Resource[],
): Operator | undefined {
  const { plan, settings, cloud, subscriptionId, cluster, inCluster } = context;
  const certManager = deployCertManager(context);
  const given = settings.serviceOperator;
  if (plan.operator === undefined || !given.install) return undefined;
  const { key, existing } = plan.operator;
  const { identity, before } = trustedIdentity(context, plan.operator);
  const { ready } = new ServiceOperator(
    `${plan.settings.name}-service-operator`,
    {
      identity,
      subscriptionId,
      cloud: cloud.operator,
      source: platformChart(given, serviceOperatorChart),
      replicaCount: given.replicas,
      crdPattern: given.crdPattern,
      furtherPatterns: [...plan.crdPatterns],
      kubeconfig: cluster.kubeconfig,
      // An existing one is not changed, and may be in another subscription than the operator reads from.
      ...(existing === undefined && {
        selfReading: {
          identity,
          location: settings.location,
          right: selfReader(`${key}/itself`, identity, settings.imported?.roleAssignments).id,
        },
      }),
    },
    pulumi.mergeOptions(inCluster, { dependsOn: [...webhook, ...before, ...certManager] }),
  );
  return { key, identity, ready };
}
