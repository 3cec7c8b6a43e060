/**
 * Annotation of every Kubernetes object that is made here: an update takes back fields that were changed by hand. Without it,
 * the API server refuses the update, as another field manager has them then. It stays on the object, and forces no creation
 * (pulumi-kubernetes provider/pkg/await/await.go, patchForce). Not for patches of objects that others own.
 */
export const forceConflicts = { 'pulumi.com/patchForce': 'true' } as const;
