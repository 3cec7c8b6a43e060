// What the pod security standard `restricted` asks for (kubernetes.io, docs/concepts/security/pod-security-standards), and a
// root file system that cannot be written.

/** Security context of a pod. */
export const restrictedPod = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } };

/** Security context of each of its containers. */
export const restrictedContainer = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};
