import * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { checkedArguments } from '../azure/arguments';
import { assignRole } from '../azure/assignRole';
import { takesFieldsBack } from '../resource/takesFieldsBack';
import { podIdentityApi } from './podIdentity';

/** A managed identity that pods sign in as. A ManagedIdentity is one. */
export interface BoundIdentity {
  /** Resource id. */
  readonly id: pulumi.Input<string>;
  /** Application (client) id. */
  readonly clientId: pulumi.Input<string>;
}

/** Arguments of PodIdentityBinding. */
export interface PodIdentityBindingArgs {
  /** Name of the application: of both objects, and the value of its pods' label `aadpodidbinding`. */
  readonly application: string;
  /** Name of its namespace. */
  readonly namespace: pulumi.Input<string>;
  /** The identity. */
  readonly identity: BoundIdentity;
  /** Object id of the nodes' identity: `kubeletPrincipalId` of PodIdentity. */
  readonly kubeletPrincipalId: pulumi.Input<string>;
}

/** The identity of an application, for aad-pod-identity: pods with the label get tokens of it. */
export class PodIdentityBinding extends pulumi.ComponentResource {
  /** Value of the label `aadpodidbinding` of the pods. */
  readonly selector: pulumi.Output<string>;

  constructor(name: string, args: PodIdentityBindingArgs, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:podIdentity:PodIdentityBinding', name, {}, opts);
    const { application, namespace, identity, kubeletPrincipalId } = checkedArguments(
      'PodIdentityBinding',
      name,
      args,
    );
    const { id: scope, clientId } = identity;
    const role = 'managedIdentityOperator';
    const assignable = assignRole(
      `${name}-assignable`,
      { scope, role, principalId: kubeletPrincipalId },
      { parent: this },
    );
    const object = (suffix: string, kind: string, spec: object, dependsOn: pulumi.Resource) =>
      new kubernetes.apiextensions.CustomResource(
        `${name}-${suffix}`,
        {
          apiVersion: podIdentityApi,
          kind,
          metadata: { name: application, namespace, annotations: { ...takesFieldsBack } },
          spec,
        },
        { parent: this, deletedWith: opts?.deletedWith, dependsOn },
      );
    // Type 0 is a managed identity.
    const identityObject = object(
      'identity',
      'AzureIdentity',
      { type: 0, resourceID: scope, clientID: clientId },
      assignable,
    );
    const binding = object(
      'binding',
      'AzureIdentityBinding',
      { azureIdentity: application, selector: application },
      identityObject,
    );
    // By the binding's output: what uses it comes after it.
    this.selector = binding.id.apply(() => application);
    this.registerOutputs({ selector: this.selector });
  }
}
