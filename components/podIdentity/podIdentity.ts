import { getManagedClusterOutput } from '@pulumi/azure-native/containerservice';
import * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { checkedArguments } from '../azure/arguments';
import { assignRole } from '../azure/assignRole';
import { parseResourceId } from '../azure/resourceId';
import type { Role } from '../azure/roles';
import { wantedScope } from '../azure/wantedScope';
import type { ChartSource } from '../platform/chart';
import { chartArgs } from '../platform/chart';
import { podIdentityChart } from '../platform/vendorCharts';
import { UserError } from '../resource/errors';
import { forceConflicts } from '../resource/forceConflicts';
import { podIdentityApi, podIdentityNamespace } from './names';

/** Pods that get the tokens of their node, as if aad-pod-identity were absent. */
export interface PodIdentityException {
  /** Name of the object. */
  readonly name: string;
  /** Namespace of the pods. It must exist. */
  readonly namespace: string;
  /** Labels of the pods. A pod with any of them is exempt. */
  readonly podLabels: Record<string, string>;
}

/** Arguments of PodIdentity. */
export interface PodIdentityArgs {
  /** Resource id of the cluster. Its nodes must be in scale sets. */
  readonly clusterId: pulumi.Input<string>;
  /** Use an existing installation of aad-pod-identity; nothing is installed. Default: false. */
  readonly existing?: boolean;
  /** Source of the chart. Default: 4.1.18 from the vendor's repository. */
  readonly source?: ChartSource;
  /** Replicas of the controller. Default: 2, as in the chart. */
  readonly replicaCount?: number;
  /** Pods that bypass aad-pod-identity. Default: only those of the chart: its controller and the AKS add-ons. */
  readonly exceptions?: PodIdentityException[];
  /**
   * Resource ids of the identities that pods get tokens of, by a name in the stack. The nodes' identity gets the role Managed
   * Identity Operator on each. Default: none.
   */
  readonly identities?: Record<string, pulumi.Input<string>>;
  /**
   * Names (GUIDs) of existing role assignments, by their names in the stack (`<name>-nodes`, `<name>/<identity>`): Azure
   * refuses a second assignment of a role. Default: each is named after its scope, role and identity.
   */
  readonly importedAssignments?: Record<string, string>;
}

/**
 * aad-pod-identity, a Helm release, for clusters with applications that do not use workload identity yet. Its controller
 * assigns identities to the nodes, and its node component gives pods tokens for them. Only pods in the namespace of an
 * identity can use it. The project was archived in September 2023; `aks-wi migrate` guides the migration to workload
 * identity.
 */
export class PodIdentity extends pulumi.ComponentResource {
  /** Object id of the nodes' identity. The controller uses it to assign identities. */
  readonly kubeletPrincipalId: pulumi.Output<string>;

  constructor(name: string, args: PodIdentityArgs, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:podIdentity:PodIdentity', name, {}, opts);
    args = checkedArguments('PodIdentity', name, args);
    const place = pulumi.output(args.clusterId).apply(parseResourceId);
    const cluster = getManagedClusterOutput(
      { resourceGroupName: place.resourceGroupName, resourceName: place.name },
      { parent: this },
    );
    this.kubeletPrincipalId = cluster.apply((found) => kubeletOf(name, found.identityProfile));
    const children = { parent: this, deletedWith: opts?.deletedWith };
    const nodes = pulumi
      .all([place, cluster])
      .apply(
        ([{ subscriptionId }, { nodeResourceGroup = '' }]) =>
          `/subscriptions/${subscriptionId}/resourceGroups/${nodeResourceGroup}`,
      );
    const assign = (inStack: string, role: Role, scope: pulumi.Input<string>) => {
      const assignmentName = args.importedAssignments?.[inStack];
      const principalId = this.kubeletPrincipalId;
      return assignRole(inStack, { scope, role, principalId, assignmentName }, { parent: this });
    };
    for (const [identity, id] of Object.entries(args.identities ?? {}))
      assign(
        `${name}/${identity}`,
        'managedIdentityOperator',
        wantedScope(`PodIdentity ${name}`, `identities["${identity}"]`, 'user-assigned identity', id),
      );
    const installed =
      args.existing === true
        ? []
        : [install(name, args, children, assign(`${name}-nodes`, 'virtualMachineContributor', nodes))];
    for (const { name: object, namespace, podLabels } of args.exceptions ?? [])
      new kubernetes.apiextensions.CustomResource(
        `${name}/${namespace}/${object}`,
        {
          apiVersion: podIdentityApi,
          kind: 'AzurePodIdentityException',
          metadata: { name: object, namespace, annotations: { ...forceConflicts } },
          spec: { podLabels },
        },
        { ...children, dependsOn: installed },
      );
    this.registerOutputs({ kubeletPrincipalId: this.kubeletPrincipalId });
  }
}

function install(
  name: string,
  { source, replicaCount }: PodIdentityArgs,
  opts: pulumi.CustomResourceOptions,
  nodesRole: pulumi.Resource,
): kubernetes.helm.v3.Release {
  return new kubernetes.helm.v3.Release(
    name,
    {
      ...chartArgs(source ?? podIdentityChart),
      name: 'aad-pod-identity',
      namespace: podIdentityNamespace,
      values: {
        // The chart compares a string.
        forceNamespaced: 'true',
        mic: { replicas: replicaCount ?? 2 },
        // The chart would grant access to all secrets in the cluster. Instead, each binding of a service principal grants
        // the right to read only its password.
        rbac: { allowAccessToSecrets: false },
      },
      timeout: 600,
    },
    pulumi.mergeOptions(opts, { dependsOn: [nodesRole] }),
  );
}

function kubeletOf(
  name: string,
  profile: Readonly<Record<string, { readonly objectId?: string }>> | undefined,
): string {
  const objectId = profile?.['kubeletidentity']?.objectId;
  if (objectId !== undefined) return objectId;
  throw new UserError(
    `PodIdentity ${name}: the cluster's nodes have no managed identity, which aad-pod-identity needs to assign identities. Run az aks update --enable-managed-identity.`,
  );
}
