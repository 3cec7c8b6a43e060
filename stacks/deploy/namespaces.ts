import * as kubernetes from '@pulumi/kubernetes';
import type * as pulumi from '@pulumi/pulumi';
import { forceConflicts } from '../../components/resource/forceConflicts';
import type { ClusterContext } from './context';

/** Namespaces on a cluster, by name. */
export type Namespaces = ReadonlyMap<string, kubernetes.core.v1.Namespace>;

/**
 * Azure Service Operator deletes in Azure what is deleted in Kubernetes, and with a namespace all that is in it goes.
 * It takes the policy of a resource that has none from the resource's namespace (Azure/azure-service-operator
 * v2/internal/reconcilers/generic/generic_reconciler.go, mergeReconcilePolicy).
 */
const detachOnDelete = { 'serviceoperator.azure.com/reconcile-policy': 'detach-on-delete' };

/** Namespaces are not part of the applications, which may share one: removing an application deletes no namespace of another. */
export function deployNamespaces(
  { plan, cluster, inCluster }: ClusterContext,
  /** Helm does not wait for the end of custom resources; the end of their namespace does, and comes before the operator's. */
  operator: readonly pulumi.Output<pulumi.Resource>[],
): Namespaces {
  const { parent, deletedWith } = inCluster;
  const { provider } = cluster;
  return new Map(
    plan.namespaces.map(({ name, key, existing, retainOnDelete, holdsHostedCluster, provisions }) => [
      name,
      existing
        ? // Read: it must exist, and what is only read is never changed and never deleted.
          kubernetes.core.v1.Namespace.get(key, name, { parent, provider })
        : new kubernetes.core.v1.Namespace(
            key,
            {
              metadata: { name, annotations: { ...forceConflicts, ...(retainOnDelete && detachOnDelete) } },
            },
            {
              ...{ parent, provider, deletedWith, retainOnDelete: holdsHostedCluster },
              dependsOn: provisions ? [...operator] : [],
            },
          ),
    ]),
  );
}
