/**
 * Leaves stack traces that nobody reads unmapped. Pulumi records a stack trace for each promise, to report leaks, and the
 * TypeScript loader maps every trace to its source, which takes a sixth of a preview's time. These records are errors without a
 * message (@pulumi/pulumi, runtime/debuggable.js). All other errors are mapped.
 */
export function leaveUnreadStackTraces(): void {
  const mapped = Reflect.get(Error, 'prepareStackTrace') as typeof Error.prepareStackTrace | undefined;
  if (mapped === undefined) return;
  Error.prepareStackTrace = (error, frames): unknown =>
    error.message === '' ? [error.name, ...frames.map(String)].join('\n    at ') : mapped(error, frames);
}
