import * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { checkedArguments } from '../azure/arguments';
import { takesFieldsBack } from '../resource/takesFieldsBack';
import { podIdentityApi, podIdentityGroup } from './names';

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
  /** The identity, one of `identities` of PodIdentity. */
  readonly identity: BoundIdentity;
}

/**
 * Makes aad-pod-identity treat an identity as one of its namespace, however it is installed (Azure/aad-pod-identity
 * pkg/apis/aadpodidentity/types.go).
 */
const namespaced = { [`${podIdentityGroup}/Behavior`]: 'namespaced' };

/**
 * The identity of an application, for aad-pod-identity: pods with the label get tokens of it. The PodIdentity goes into
 * `dependsOn` of the component's options.
 */
export class PodIdentityBinding extends pulumi.ComponentResource {
  /** Value of the label `aadpodidbinding` of the pods. */
  readonly selector: pulumi.Output<string>;

  constructor(name: string, args: PodIdentityBindingArgs, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:podIdentity:PodIdentityBinding', name, {}, opts);
    const { application, namespace, identity } = checkedArguments('PodIdentityBinding', name, args);
    const object = (
      suffix: string,
      kind: string,
      spec: object,
      { annotations = {}, dependsOn = [] }: { annotations?: object; dependsOn?: pulumi.Resource[] },
    ) =>
      new kubernetes.apiextensions.CustomResource(
        `${name}-${suffix}`,
        {
          apiVersion: podIdentityApi,
          kind,
          metadata: { name: application, namespace, annotations: { ...takesFieldsBack, ...annotations } },
          spec,
        },
        { parent: this, deletedWith: opts?.deletedWith, dependsOn },
      );
    // Type 0 is a managed identity.
    const identityObject = object(
      'identity',
      'AzureIdentity',
      { type: 0, resourceID: identity.id, clientID: identity.clientId },
      { annotations: namespaced },
    );
    const binding = object(
      'binding',
      'AzureIdentityBinding',
      { azureIdentity: application, selector: application },
      { dependsOn: [identityObject] },
    );
    // By the binding's output: what uses it comes after it.
    this.selector = binding.id.apply(() => application);
    this.registerOutputs({ selector: this.selector });
  }
}
