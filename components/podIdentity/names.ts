/** API group of aad-pod-identity's objects. */
export const podIdentityGroup = 'aadpodidentity.k8s.io';

/** API version of aad-pod-identity's objects. */
export const podIdentityApi = `${podIdentityGroup}/v1`;

/** The label by which aad-pod-identity selects pods. */
export const bindingLabel = 'aadpodidbinding';

/** The namespace that aad-pod-identity is installed in. */
export const podIdentityNamespace = 'kube-system';

/** The service account of aad-pod-identity's node component, as its chart names it. */
export const nodeComponentAccount = 'aad-pod-identity-nmi';

/** Label of the node component's pods, in the chart and in the vendor's manifests. Others, such as Flannel's, have it too. */
export const nodeComponentLabel = { key: 'tier', value: 'node' };

/** Name of the container of the node component, in the chart and in the vendor's manifests. */
export const nodeComponentContainer = 'nmi';

/**
 * Name of the Kubernetes secret with the password of an application that signs in by aad-pod-identity. No other one of an
 * application has a period and this end.
 */
export function passwordSecretName(application: string): string {
  return `${application}.pod-identity`;
}

/** The component by which events of tokens are signed. */
export const tokenEventSource = 'aks-workload-identity';
