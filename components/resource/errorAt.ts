import * as pulumi from '@pulumi/pulumi';

/**
 * An error that the engine shows at a resource, and without a stack trace (see VisibleError). The SDK itself shows one at its
 * resource only while the program's first run lasts, and later at the stack, by its stack trace (cmd/run/index.ts); so it
 * is told here, and the trace says where to look.
 */
export function errorAt(resource: pulumi.Resource, message: string): pulumi.ResourceError {
  const error = new pulumi.ResourceError(message, resource, true);
  void pulumi.log.error(message, resource);
  error.stack = 'The update failed; why is said at the resource that it failed at.';
  return error;
}
