/**
 * The repository of an image reference, without digest and tag. The colon of a registry's port does not start a
 * tag. controlplane/kwokStages.ts has the same rule in jq.
 */
export function imageRepository(reference: string): string {
  return reference.replace(/@.*$/, '').replace(/:[^/]*$/, '');
}
