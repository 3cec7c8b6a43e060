import { fitName } from '../azure/naming';

/** The audience of tokens that AKS gives to workloads (entra-docs, workload-identity-federation-considerations). */
export const defaultAudience = 'api://AzureADTokenExchange';

/** Maximum number of federated credentials of an identity (entra-docs workload-identity-federation-considerations). */
export const maxCredentialsPerIdentity = 20;

/** A Kubernetes service account that an identity trusts. */
export interface ServiceAccountReference {
  /** Namespace of the service account, a DNS label. */
  readonly namespace: string;
  /** Name of the service account. */
  readonly serviceAccount: string;
}

/** The service account of the operator in Azure Service Operator's chart. */
export const serviceOperatorAccount: ServiceAccountReference = {
  namespace: 'azureserviceoperator-system',
  serviceAccount: 'azureserviceoperator-default',
};

/** The service account of the access-window reconciler. */
export const accessWindowsAccount: ServiceAccountReference = {
  namespace: 'access-windows',
  serviceAccount: 'access-windows',
};

/** The service account of the connection writer. */
export const connectionWriterAccount: ServiceAccountReference = {
  namespace: 'connection-writer',
  serviceAccount: 'connection-writer',
};

/** The service account of the writer of aad-pod-identity's token events. No identity trusts it. */
export const tokenEventsAccount: ServiceAccountReference = {
  namespace: 'token-events',
  serviceAccount: 'token-events',
};

/** The vendor's namespace for the workload identity webhook; AKS itself uses kube-system. */
export const workloadIdentityWebhookNamespace = 'azure-workload-identity-system';

/** Returns the subject claim of a service account's token. Entra compares it case-sensitively and supports no wildcards. */
export function subjectOf({ namespace, serviceAccount }: ServiceAccountReference): string {
  return `system:serviceaccount:${namespace}:${serviceAccount}`;
}

/**
 * Returns the name of the federated credential that trusts a service account: `<namespace>_<service account>`. Kubernetes
 * names contain no underscore, so different accounts have different names (with a hyphen, `a-b`/`c` and `a`/`b-c` would
 * share one). A period, which the credential's name may not contain, becomes two underscores.
 */
export function credentialName({ namespace, serviceAccount }: ServiceAccountReference): string {
  return fitName('federatedIdentityCredential', `${namespace}_${serviceAccount.replaceAll('.', '__')}`);
}
