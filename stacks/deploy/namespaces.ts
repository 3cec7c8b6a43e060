import * as kubernetes from '@pulumi/kubernetes';
import type * as pulumi from '@pulumi/pulumi';
import { forceConflicts } from '../../components/resource/forceConflicts';
import type { ClusterContext } from './context';

/** Namespaces on a cluster, by name. */
export type Namespaces = ReadonlyMap<string, kubernetes.core.v1.Namespace>;

/**
 * Azure Service Operator deletes in Azure what is deleted in Kubernetes, and deleting a namespace deletes everything in it. A
 * resource without a policy takes that of its namespace (Azure/azure-service-operator
 * v2/internal/reconcilers/generic/generic_reconciler.go, mergeReconcilePolicy).
 */
const detachOnDelete = { 'serviceoperator.azure.com/reconcile-policy': 'detach-on-delete' };

/**
 * Deploys the namespaces. They are not part of an application because several may share one: removing an application must not
 * delete the namespace of another.
 */
export function deployNamespaces(
  { plan, cluster, inCluster }: ClusterContext,
  /**
   * Helm does not wait until custom resources are deleted. The deletion of their namespace does, and it precedes the
   * operator's.
   */
  operator: readonly pulumi.Output<pulumi.Resource>[],
): Namespaces {
  const { parent, deletedWith } = inCluster;
  const { provider } = cluster;
  return new Map(
    plan.namespaces.map(({ name, key, existing, retainOnDelete, isKept, provisions }) => [
      name,
      existing
        ? // Only read, so it must exist and is never changed or deleted.
          kubernetes.core.v1.Namespace.get(key, name, { parent, provider })
        : new kubernetes.core.v1.Namespace(
            key,
            {
              metadata: { name, annotations: { ...forceConflicts, ...(retainOnDelete && detachOnDelete) } },
            },
            {
              ...{ parent, provider, deletedWith, retainOnDelete: isKept },
              dependsOn: provisions ? [...operator] : [],
            },
          ),
    ]),
  );
}
