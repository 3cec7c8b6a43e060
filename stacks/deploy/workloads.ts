import * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import type { WorkloadChart } from '../../components/application/chart';
import type { WorkloadImage } from '../../components/application/deployment';
import { Workload } from '../../components/application/workload';
import type { AzureDependency } from '../../components/dependency/azureDependency';
import type { ManagedIdentity } from '../../components/identity/managedIdentity';
import type { KeyVault } from '../../components/vault/keyVault';
import type { Cloud } from '../settings/clouds';
import type { ApplicationSettings } from '../settings/schema';
import type { NamespacePlan, WorkloadPlan } from '../plan';
import { chartSource } from '../plan/chartSource';
import { known } from './known';

/** What the workloads of a cluster are made with. */
export interface WorkloadContext {
  /** Namespaces on the cluster. */
  readonly namespaces: ReadonlyMap<string, kubernetes.core.v1.Namespace>;
  /** kubeconfig of an administrator, by which the cluster is asked whether pods run. */
  readonly kubeconfig: pulumi.Output<string>;
  /** For components in the cluster: parent, provider and what they are deleted with. */
  readonly inCluster: pulumi.ComponentResourceOptions & {
    readonly provider: kubernetes.Provider;
  };
  readonly cloud: Cloud;
}

/** What a workload is given, and waits for. */
export interface WorkloadParts {
  readonly identity: ManagedIdentity;
  readonly vault: KeyVault;
  readonly dependencies: readonly AzureDependency[];
  /** Its trust, its grants, and what gives it its token. */
  readonly before: readonly pulumi.Resource[];
}

/**
 * Azure Service Operator deletes in Azure what is deleted in Kubernetes, and with a namespace all that is in it goes.
 * It takes the policy of a resource that has none from the resource's namespace (Azure/azure-service-operator
 * v2/internal/reconcilers/generic/generic_reconciler.go, mergeReconcilePolicy).
 */
const detachOnDelete = { 'serviceoperator.azure.com/reconcile-policy': 'detach-on-delete' };

/** Apart from the applications, which may share one: no application's removal takes another's namespace. */
export function deployNamespaces(
  { clusterName, inCluster }: Pick<WorkloadContext, 'inCluster'> & { readonly clusterName: string },
  namespaces: readonly NamespacePlan[],
): ReadonlyMap<string, kubernetes.core.v1.Namespace> {
  const { parent, provider, deletedWith } = inCluster;
  return new Map(
    namespaces.map(({ name, existing, retainOnDelete }) => {
      // A slash, which neither name has: `a`+`b-c` and `a-b`+`c` must not be one resource.
      const inStack = `${clusterName}/${name}`;
      const opts = { ...(parent !== undefined && { parent }), provider };
      return [
        name,
        existing
          ? // Read: it must exist, and what is only read is never changed and never deleted.
            kubernetes.core.v1.Namespace.get(inStack, name, opts)
          : new kubernetes.core.v1.Namespace(
              inStack,
              { metadata: { name, ...(retainOnDelete && { annotations: detachOnDelete }) } },
              { ...opts, ...(deletedWith !== undefined && { deletedWith }) },
            ),
      ];
    }),
  );
}

export function deployWorkload(
  context: WorkloadContext,
  plan: WorkloadPlan,
  { identity, vault, dependencies, before }: WorkloadParts,
): Workload {
  const { application, serviceAccount, serviceAccounts, existingServiceAccount, audience } = plan;
  const { secretsStore: cloudName } = context.cloud;
  const { provider, ...options } = context.inCluster;
  return new Workload(
    plan.key,
    {
      application: application.name,
      namespace: known(context.namespaces, plan.namespace).metadata.name,
      serviceAccount,
      existingServiceAccount,
      furtherServiceAccounts: serviceAccounts.slice(1),
      identity,
      vault: {
        name: plan.vault,
        uri: vault.uri,
        ...(cloudName !== undefined && { cloudName }),
        secretNames: [...plan.secrets],
      },
      delivery: application.delivery,
      audience,
      dependencies: [...dependencies],
      kubeconfig: context.kubeconfig,
      ...runOf(application),
    },
    pulumi.mergeOptions({ ...options, providers: [provider] }, { dependsOn: [...before] }),
  );
}

/** What the application runs: its owner's chart, or an image. */
function runOf(application: ApplicationSettings): { chart: WorkloadChart } | { image: WorkloadImage } {
  if ('chart' in application) {
    const { chart } = application;
    const { values } = chart;
    return { chart: { source: chartSource(chart), ...(values !== undefined && { values }) } };
  }
  const { image, replicas, port, env } = application;
  return {
    image: {
      reference: image,
      ...(replicas !== undefined && { replicas }),
      ...(port !== undefined && { port }),
      ...(env !== undefined && { env }),
    },
  };
}
