import * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { checkedArguments } from '../azure/arguments';
import { oneOf } from '../resource/argumentValues';
import { forceConflicts } from '../resource/forceConflicts';
import {
  nodeComponentAccount,
  passwordSecretName,
  podIdentityApi,
  podIdentityGroup,
  podIdentityNamespace,
} from './names';

/** A managed identity that pods sign in as, for example a ManagedIdentity. */
export interface BoundIdentity {
  /** Resource id. */
  readonly id: pulumi.Input<string>;
  /** Application (client) id. */
  readonly clientId: pulumi.Input<string>;
}

/** A service principal that pods sign in as, with a password that aad-pod-identity reads. Not recommended. */
export interface BoundServicePrincipal {
  /** Application (client) id. */
  readonly clientId: pulumi.Input<string>;
  /** Entra tenant. */
  readonly tenantId: pulumi.Input<string>;
  /** Password, stored in a Kubernetes secret in `namespace`. */
  readonly password: pulumi.Input<string>;
  /** Address of Entra, such as `https://login.microsoftonline.us/`. Default: the public cloud's. */
  readonly authority?: string;
}

/** Arguments of PodIdentityBinding. */
export interface PodIdentityBindingArgs {
  /** Name of the application. It is also the name of both objects and the value of its pods' label `aadpodidbinding`. */
  readonly application: string;
  /** Name of the application's namespace. */
  readonly namespace: pulumi.Input<string>;
  /** The managed identity, one of `identities` of PodIdentity. Set either this or `servicePrincipal`. */
  readonly identity?: BoundIdentity;
  /** The service principal. Set either this or `identity`. */
  readonly servicePrincipal?: BoundServicePrincipal;
  /** Namespace of aad-pod-identity's node component, which reads the password. Default: `kube-system`. */
  readonly nodeComponentNamespace?: string;
}

/**
 * Makes aad-pod-identity treat an identity as one of its namespace, however it is installed (Azure/aad-pod-identity
 * pkg/apis/aadpodidentity/types.go).
 */
const namespaced = { [`${podIdentityGroup}/Behavior`]: 'namespaced' };

/** The types of AzureIdentity (Azure/aad-pod-identity pkg/apis/aadpodidentity/types.go). */
const [managedIdentity, servicePrincipalWithPassword] = [0, 1];

/**
 * Binds the identity of an application for aad-pod-identity: pods with the label get tokens for it. Put the PodIdentity
 * into `dependsOn` of the component's options.
 */
export class PodIdentityBinding extends pulumi.ComponentResource {
  /** Value of the pods' label `aadpodidbinding`. */
  readonly selector: pulumi.Output<string>;

  constructor(name: string, args: PodIdentityBindingArgs, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:podIdentity:PodIdentityBinding', name, {}, opts);
    args = checkedArguments('PodIdentityBinding', name, args);
    const { application, namespace } = args;
    const bound = oneOf({ identity: args.identity, servicePrincipal: args.servicePrincipal });
    const children = { parent: this, deletedWith: opts?.deletedWith };
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
          metadata: { name: application, namespace, annotations: { ...forceConflicts, ...annotations } },
          spec,
        },
        { ...children, dependsOn },
      );
    const identityObject =
      bound.kind === 'identity'
        ? object(
            'identity',
            'AzureIdentity',
            { type: managedIdentity, resourceID: bound.value.id, clientID: bound.value.clientId },
            { annotations: namespaced },
          )
        : object('identity', 'AzureIdentity', servicePrincipalSpec(args, bound.value), {
            annotations: namespaced,
            dependsOn: readablePassword(name, args, bound.value, children),
          });
    const binding = object(
      'binding',
      'AzureIdentityBinding',
      { azureIdentity: application, selector: application },
      { dependsOn: [identityObject] },
    );
    // From the binding's output: users of the selector must come after the binding.
    this.selector = binding.id.apply(() => application);
    this.registerOutputs({ selector: this.selector });
  }
}

function servicePrincipalSpec(
  { application, namespace }: PodIdentityBindingArgs,
  { clientId, tenantId, authority }: BoundServicePrincipal,
): object {
  return {
    type: servicePrincipalWithPassword,
    tenantID: tenantId,
    clientID: clientId,
    clientPassword: { name: passwordSecretName(application), namespace },
    ...(authority !== undefined && { adEndpoint: authority }),
  };
}

/**
 * Deploys the Kubernetes secret with the password, and the node component's right to read only this secret: the chart would
 * grant it access to all secrets of the cluster. The node component reads the secret at each request for a token.
 * Therefore, a renewed password stays in the same secret, and pods are not replaced.
 */
function readablePassword(
  name: string,
  { application, namespace, nodeComponentNamespace = podIdentityNamespace }: PodIdentityBindingArgs,
  { password }: BoundServicePrincipal,
  opts: pulumi.CustomResourceOptions,
): pulumi.Resource[] {
  const secretName = passwordSecretName(application);
  const metadata = {
    ...{ name: secretName, namespace },
    labels: { 'app.kubernetes.io/name': application },
    annotations: forceConflicts,
  };
  const secret = new kubernetes.core.v1.Secret(
    `${name}-password`,
    // The node component takes any one value of the secret (pkg/nmi/standard.go), so there is only one.
    { metadata, stringData: { AZURE_CLIENT_SECRET: pulumi.secret(password) } },
    opts,
  );
  const role = new kubernetes.rbac.v1.Role(
    `${name}-password-reader`,
    {
      metadata,
      rules: [{ apiGroups: [''], resources: ['secrets'], resourceNames: [secretName], verbs: ['get'] }],
    },
    opts,
  );
  const binding = new kubernetes.rbac.v1.RoleBinding(
    `${name}-password-reader`,
    {
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: role.metadata.name },
      subjects: [{ kind: 'ServiceAccount', name: nodeComponentAccount, namespace: nodeComponentNamespace }],
    },
    opts,
  );
  return [secret, binding];
}
