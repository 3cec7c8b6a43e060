import { takesFieldsBack } from '../../components/resource/takesFieldsBack';

/** Annotation of everything that a stack makes in a cluster: `<stack>/<cluster>`, where the cluster has its name in the stack file. */
export const ownerAnnotation = 'aks-workload-identity/owner';

/** What the annotation says of a stack's objects on a cluster. */
export function ownerOf(environment: string, cluster: string): string {
  return `${environment}/${cluster}`;
}

/**
 * What an object says of its owner: the annotation; `unknown`: it has none, but earlier versions of this program made it;
 * `none`: somebody else made it.
 */
export function ownerSaid(annotations: Readonly<Record<string, string>> = {}): string {
  const isOurs = Object.keys(takesFieldsBack).every((key) => key in annotations);
  return annotations[ownerAnnotation] ?? (isOurs ? 'unknown' : 'none');
}
