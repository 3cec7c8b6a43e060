// The requirements of the pod security standard `restricted` (kubernetes.io,
// docs/concepts/security/pod-security-standards), and a read-only root file system.

/** Security context of a pod. */
export const restrictedPod = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } };

/** Security context of each of its containers. */
export const restrictedContainer = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};
