import { IdentityBinding as AzureIdentityBinding } from '@pulumi/azure-native/containerservice';
import * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { checkedArguments } from '../azure/arguments';
import { parseResourceId } from '../azure/resourceId';
import { forceConflicts } from '../resource/forceConflicts';
import { identityBindingGroup, useVerb } from './bindingNames';
import type { ServiceAccountReference } from './subjects';

/** A managed identity to bind, for example a ManagedIdentity. */
export interface IdentityToBind {
  /** Resource id. The names in it have only letters, digits and hyphens. */
  readonly id: pulumi.Input<string>;
  /** Application (client) id. */
  readonly clientId: pulumi.Input<string>;
}

/** Arguments of IdentityBinding. */
export interface IdentityBindingArgs {
  /** Resource id of the AKS cluster. */
  readonly clusterId: pulumi.Input<string>;
  /**
   * Name of the binding on the cluster: 1 to 63 lower-case letters and digits, starting with a letter. Another identity needs another
   * name.
   */
  readonly bindingName: string;
  /** Name of the ClusterRole and of the ClusterRoleBinding in the cluster. */
  readonly roleName: string;
  /** The identity that the service accounts may use. */
  readonly identity: IdentityToBind;
  /** The service accounts that may use the identity, at least one. */
  readonly serviceAccounts: ServiceAccountReference[];
}

/**
 * An AKS identity binding, a preview in Azure: AKS exchanges the tokens of exactly the named service accounts for tokens of an
 * identity, which trusts AKS with one federated credential on all its clusters. Workloads that use the identity depend on the
 * component, and their pods have the annotation `azure.workload.identity/use-identity-binding: "true"`.
 */
export class IdentityBinding extends pulumi.ComponentResource {
  /** Resource id of the binding. */
  readonly id: pulumi.Output<string>;

  constructor(name: string, args: IdentityBindingArgs, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:identity:IdentityBinding', name, {}, opts);
    args = checkedArguments('IdentityBinding', name, args, ({ serviceAccounts }) =>
      serviceAccounts.length > 0
        ? []
        : [
            {
              argument: 'serviceAccounts',
              value: '[]',
              problem: 'names no service account',
              allowed: 'at least one service account',
            },
          ],
    );
    const { bindingName, roleName, identity, serviceAccounts } = args;
    const cluster = pulumi.output(args.clusterId).apply(parseResourceId);
    const children = { parent: this, deletedWith: opts?.deletedWith };
    const binding = new AzureIdentityBinding(
      name,
      {
        resourceGroupName: cluster.resourceGroupName,
        resourceName: cluster.name,
        identityBindingName: bindingName,
        properties: { managedIdentity: { resourceId: identity.id } },
      },
      // The identity of a binding cannot be changed. The new binding exists before the old one is deleted.
      { ...children, replaceOnChanges: ['properties.managedIdentity.resourceId'] },
    );
    const metadata = { name: roleName, annotations: forceConflicts };
    const role = new kubernetes.rbac.v1.ClusterRole(
      `${name}-use-identity`,
      {
        metadata,
        rules: [{ apiGroups: [identityBindingGroup], resources: [identity.clientId], verbs: [useVerb] }],
      },
      children,
    );
    new kubernetes.rbac.v1.ClusterRoleBinding(
      `${name}-use-identity`,
      {
        metadata,
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role.metadata.name },
        // Sorted: the order of the arguments has no effect.
        subjects: serviceAccounts
          .map(({ namespace, serviceAccount }) => ({
            kind: 'ServiceAccount',
            namespace,
            name: serviceAccount,
          }))
          .sort((a, b) => (`${a.namespace}/${a.name}` < `${b.namespace}/${b.name}` ? -1 : 1)),
      },
      children,
    );
    this.id = binding.id;
    this.registerOutputs({ id: this.id });
  }
}
