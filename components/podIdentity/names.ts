/** API group of aad-pod-identity's objects. */
export const podIdentityGroup = 'aadpodidentity.k8s.io';

/** API version of aad-pod-identity's objects. */
export const podIdentityApi = `${podIdentityGroup}/v1`;

/** The label by which aad-pod-identity selects pods. */
export const bindingLabel = 'aadpodidbinding';

/** The component by which events of tokens are signed. */
export const tokenEventSource = 'aks-workload-identity';
