import type * as pulumi from '@pulumi/pulumi';

/** How a resource is guarded against deletion. */
export interface Retention {
  /** Default: true. */
  readonly retainOnDelete?: boolean | undefined;
  /** Default: false. */
  readonly protect?: boolean | undefined;
}

/** The options that say so to the engine. */
export function retention({
  retainOnDelete = true,
  protect = false,
}: Retention): Pick<pulumi.CustomResourceOptions, 'protect' | 'retainOnDelete'> {
  return { retainOnDelete, protect };
}
