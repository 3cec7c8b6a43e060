import { fitName } from '../azure/naming';

/** The audience of tokens that AKS hands to workloads (entra-docs, workload-identity-federation-considerations). */
export const defaultAudience = 'api://AzureADTokenExchange';

/** An identity holds at most so many federated credentials (entra-docs workload-identity-federation-considerations). */
export const maxCredentialsPerIdentity = 20;

/** A Kubernetes service account that an identity trusts. */
export interface ServiceAccountReference {
  /** Namespace of the service account, a DNS label. */
  readonly namespace: string;
  /** Name of the service account. */
  readonly serviceAccount: string;
}

/** The service account that Azure Service Operator's chart runs the operator under. */
export const serviceOperatorAccount: ServiceAccountReference = {
  namespace: 'azureserviceoperator-system',
  serviceAccount: 'azureserviceoperator-default',
};

/** The service account that what opens and closes access windows runs under. */
export const accessWindowsAccount: ServiceAccountReference = {
  namespace: 'access-windows',
  serviceAccount: 'access-windows',
};

/** The service account that what keeps connection strings current runs under. */
export const connectionWriterAccount: ServiceAccountReference = {
  namespace: 'connection-writer',
  serviceAccount: 'connection-writer',
};

/** The service account that what writes events of aad-pod-identity's tokens runs under. No identity trusts it. */
export const tokenEventsAccount: ServiceAccountReference = {
  namespace: 'token-events',
  serviceAccount: 'token-events',
};

/** The namespace that the workload identity webhook's vendor installs it in; AKS itself takes kube-system. */
export const workloadIdentityWebhookNamespace = 'azure-workload-identity-system';

/** The subject claim of a service account's token. Entra compares it case-sensitively and knows no wildcards. */
export function subjectOf({ namespace, serviceAccount }: ServiceAccountReference): string {
  return `system:serviceaccount:${namespace}:${serviceAccount}`;
}

/**
 * Name of the federated credential that trusts a service account: `<namespace>_<service account>`. No
 * Kubernetes name has an underscore, so different accounts have different names (with a hyphen, `a-b`/`c`
 * and `a`/`b-c` would share one); a period, which the credential's name may not have, becomes two.
 */
export function credentialName({ namespace, serviceAccount }: ServiceAccountReference): string {
  return fitName('federatedIdentityCredential', `${namespace}_${serviceAccount.replaceAll('.', '__')}`);
}
