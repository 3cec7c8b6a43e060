/**
 * Annotation of every object that a stack creates in a cluster: `<stack>/<cluster>`, with the cluster's name in the stack file.
 */
export const ownerAnnotation = 'aks-workload-identity/owner';

/** Returns the value of the annotation for a stack's objects on a cluster. */
export function ownerOf(environment: string, cluster: string): string {
  return `${environment}/${cluster}`;
}
