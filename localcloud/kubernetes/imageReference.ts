/**
 * The repository of an image reference: without digest and tag. The colon of a registry's port is no tag's.
 * The same rule is written in jq in controlplane/kwokStages.ts.
 */
export function imageRepository(reference: string): string {
  return reference.replace(/@.*$/, '').replace(/:[^/]*$/, '');
}
