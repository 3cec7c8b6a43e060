/**
 * Annotation of every Kubernetes object that is created here. With it, an update overwrites fields that were changed by hand.
 * Without it, the API server refuses the update, because another field manager then owns the fields. The annotation stays on
 * the object, and does not force its creation (pulumi-kubernetes provider/pkg/await/await.go, patchForce). Patches of objects
 * that others own do not have it.
 */
export const forceConflicts = { 'pulumi.com/patchForce': 'true' } as const;
