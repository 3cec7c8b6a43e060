import * as pulumi from '@pulumi/pulumi';
import { ManagedIdentity } from '../../components/identity/managedIdentity';
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
import type { ReadyIdentities } from './identities';
import { storedCredential } from './identities';
import { known } from './known';

/** Deploys the workload identity webhook, unless the cluster has it already. Pods that sign in wait for it. */
export function deployWebhook({ plan, settings, tenantId, inCluster }: ClusterContext): pulumi.Resource[] {
  const { workloadIdentityWebhook: chart } = settings;
  if (plan.settings.mode !== 'external' || !chart.install) return [];
  const webhook = new WorkloadIdentityWebhook(
    plan.keys.webhook,
    {
      tenantId,
      source: platformChart(chart, workloadIdentityWebhookChart),
      replicaCount: chart.replicas,
    },
    inCluster,
  );
  return [webhook];
}

/** Deploys cert-manager, unless something else installs it. Resources that need it depend on the result. */
function deployCertManager({ plan, settings, inCluster }: ClusterContext): CertManager[] {
  const chart = settings.certManager;
  if (!chart.install) return [];
  return [
    new CertManager(
      plan.keys.certManager,
      { source: platformChart(chart, certManagerChart), replicaCount: chart.replicas },
      inCluster,
    ),
  ];
}

/**
 * Deploys cert-manager and the service operator, unless something else installs them. The operator's pods wait for `webhook`.
 * @returns the operator's release, once it works
 */
export function deployPlatform(
  context: ClusterContext,
  identities: ReadyIdentities,
  webhook: readonly pulumi.Resource[],
): pulumi.Output<pulumi.Resource>[] {
  const { plan, settings, cloud, subscriptionId, cluster, inCluster } = context;
  const certManager = deployCertManager(context);
  const chart = settings.serviceOperator;
  if (plan.operator === undefined || !chart.install) return [];
  const { key, existing, subjects } = plan.operator;
  const ready = known(identities, key);
  const { identity, before } = ready;
  const operator = new ServiceOperator(
    plan.keys.serviceOperator,
    {
      identity,
      credential: storedCredential(context, plan.operator, ready),
      subscriptionId,
      cloud: cloud.operator,
      source: platformChart(chart, serviceOperatorChart),
      replicaCount: chart.replicas,
      crdPattern: chart.crdPattern,
      furtherPatterns: [...plan.crdPatterns],
      kubeconfig: cluster.kubeconfig,
      // An existing identity is not changed, and may be in another subscription than the operator reads from. An application in
      // Entra cannot be read from Azure. The operator's identity on a revoked cluster trusts nobody.
      ...(identity instanceof ManagedIdentity &&
        existing === undefined &&
        subjects.length > 0 && {
          selfReading: {
            identity,
            location: settings.location,
            right: selfReader(plan.keys.selfReader, identity, settings.imported?.roleAssignments).id,
          },
        }),
    },
    pulumi.mergeOptions(inCluster, { dependsOn: [...webhook, ...before, ...certManager] }),
  );
  return [operator.ready];
}
