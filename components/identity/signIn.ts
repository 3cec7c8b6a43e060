import type * as pulumi from '@pulumi/pulumi';

/** An identity that something signs in as. A ManagedIdentity is one. */
export interface SignInIdentity {
  /** Application (client) id. */
  readonly clientId: pulumi.Input<string>;
  /** Entra tenant. */
  readonly tenantId: pulumi.Input<string>;
}
