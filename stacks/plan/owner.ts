/** Annotation of everything that a stack makes in a cluster: `<stack>/<cluster>`, where the cluster has its name in the stack file. */
export const ownerAnnotation = 'aks-workload-identity/owner';

/** What the annotation says of a stack's objects on a cluster. */
export function ownerOf(environment: string, cluster: string): string {
  return `${environment}/${cluster}`;
}
