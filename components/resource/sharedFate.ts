import type * as pulumi from '@pulumi/pulumi';

/**
 * What a component's children take over of its `deletedWith` option, which the SDK does not hand down: where the
 * cluster itself is deleted or replaced, what is installed in it need not be deleted first, one by one, through an
 * API server that may be gone already.
 */
export function sharedFate(
  opts: pulumi.ComponentResourceOptions | undefined,
): Pick<pulumi.CustomResourceOptions, 'deletedWith'> {
  return opts?.deletedWith === undefined ? {} : { deletedWith: opts.deletedWith };
}
