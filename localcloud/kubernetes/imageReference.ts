/**
 * Returns the repository of an image reference, without digest and tag. The colon before a registry's port does not start
 * a tag. controlplane/kwokStages.ts has the same rule in jq.
 */
export function imageRepository(reference: string): string {
  return reference.replace(/@.*$/, '').replace(/:[^/]*$/, '');
}
