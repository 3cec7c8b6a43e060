import type * as pulumi from '@pulumi/pulumi';

/**
 * What becomes of a thing in Azure when the program no longer has it, or the stack is destroyed. kept: it stays, and
 * only the stack forgets it. allowed: it is deleted.
 */
export type Deletion = 'kept' | 'allowed';

/** The options of a resource that is kept unless its deletion is allowed; what may be deleted is not protected. */
export function retention(
  deletion: Deletion = 'kept',
  protect = false,
): Pick<pulumi.CustomResourceOptions, 'protect' | 'retainOnDelete'> {
  const kept = deletion === 'kept';
  return { retainOnDelete: kept, protect: protect && kept };
}

/**
 * What a component tells in its outputs, so that a program that no longer has it knows what to do with it, and can
 * register it again in its place.
 */
export function retentionOutputs(
  deletion: Deletion,
  parent: pulumi.Resource | undefined,
): { deletion: Deletion; parent?: pulumi.Output<string> } {
  return { deletion, ...(parent !== undefined && { parent: parent.urn }) };
}
