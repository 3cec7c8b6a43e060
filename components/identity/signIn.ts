import type * as pulumi from '@pulumi/pulumi';

/** An identity to sign in as, for example a ManagedIdentity. */
export interface SignInIdentity {
  /** Application (client) id. */
  readonly clientId: pulumi.Input<string>;
  /** Entra tenant. */
  readonly tenantId: pulumi.Input<string>;
}

/**
 * The pod label by which the workload identity webhook selects pods. A pod without it gets nothing, and no error is
 * reported (Azure/azure-workload-identity PR #691).
 */
export const useLabel = 'azure.workload.identity/use';

/** The annotation of a service account with the client id for its pods' sign-in. */
export const clientIdAnnotation = 'azure.workload.identity/client-id';

/** The annotation of a service account with the tenant of the identity. */
export const tenantIdAnnotation = 'azure.workload.identity/tenant-id';

/** Returns the annotations of a service account whose pods sign in as an identity. */
export const accountAnnotations = <Id>({
  clientId,
  tenantId,
}: {
  readonly clientId: Id;
  readonly tenantId: Id;
}): Record<string, Id> => ({
  [clientIdAnnotation]: clientId,
  [tenantIdAnnotation]: tenantId,
});
