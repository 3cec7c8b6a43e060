/** API group of aad-pod-identity's objects. */
export const podIdentityGroup = 'aadpodidentity.k8s.io';

/** API version of aad-pod-identity's objects. */
export const podIdentityApi = `${podIdentityGroup}/v1`;

/** The label that aad-pod-identity selects pods by. */
export const bindingLabel = 'aadpodidbinding';

/** The namespace of aad-pod-identity. */
export const podIdentityNamespace = 'kube-system';

/** The service account of aad-pod-identity's node component in its chart. */
export const nodeComponentAccount = 'aad-pod-identity-nmi';

/**
 * Label of the node component's pods, in the chart and in the vendor's manifests. Other pods, such as Flannel's, have it
 * too.
 */
export const nodeComponentLabel = { key: 'tier', value: 'node' };

/** Name of the container of the node component, in the chart and in the vendor's manifests. */
export const nodeComponentContainer = 'nmi';

/**
 * Returns the name of the Kubernetes secret with the password of an application that signs in with aad-pod-identity. No
 * other secret of an application contains a period and this suffix.
 */
export function passwordSecretName(application: string): string {
  return `${application}.pod-identity`;
}

/** Source component of the token events. */
export const tokenEventSource = 'aks-workload-identity';
