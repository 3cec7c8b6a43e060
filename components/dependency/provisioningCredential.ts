import * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { checkedArguments } from '../azure/arguments';
import type { SignInIdentity } from '../identity/signIn';
import { forceConflicts } from '../resource/forceConflicts';

/** Arguments of ProvisioningCredential. */
export interface ProvisioningCredentialArgs {
  /** Name of the namespace of the custom resources that the identity provisions. */
  readonly namespace: pulumi.Input<string>;
  /** The identity, which trusts the operator's service account. */
  readonly identity: SignInIdentity;
  /** Subscription to provision in. */
  readonly subscriptionId: pulumi.Input<string>;
}

/**
 * The operator's credential for one namespace, under its fixed name (azure-service-operator internal/identity
 * credential_provider.go). It contains no secret: the operator signs in with its own service account's token. It separates
 * honest applications, but not hostile ones: anyone who may write such a secret in a namespace can name any identity that
 * trusts the operator (azure-service-operator #4810). The custom resources of the namespace depend on it.
 */
export class ProvisioningCredential extends pulumi.ComponentResource {
  constructor(name: string, args: ProvisioningCredentialArgs, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:dependency:ProvisioningCredential', name, {}, opts);
    args = checkedArguments('ProvisioningCredential', name, args);
    const { clientId, tenantId } = args.identity;
    new kubernetes.core.v1.Secret(
      `${name}-credential`,
      {
        metadata: { name: 'aso-credential', namespace: args.namespace, annotations: forceConflicts },
        stringData: {
          AZURE_SUBSCRIPTION_ID: args.subscriptionId,
          AZURE_TENANT_ID: tenantId,
          AZURE_CLIENT_ID: clientId,
        },
      },
      { parent: this, deletedWith: opts?.deletedWith },
    );
    this.registerOutputs({});
  }
}
