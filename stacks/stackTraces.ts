/**
 * Pulumi records a stack trace for each promise, to report leaks, and the TypeScript loader maps every trace to its
 * source: that is a sixth of the time of a preview. Errors without a message are such records (@pulumi/pulumi,
 * runtime/debuggable.js) and stay unmapped. All other errors are mapped.
 */
export function leaveUnreadStackTraces(): void {
  const mapped = Reflect.get(Error, 'prepareStackTrace') as typeof Error.prepareStackTrace | undefined;
  if (mapped === undefined) return;
  Error.prepareStackTrace = (error, frames): unknown =>
    error.message === '' ? [error.name, ...frames.map(String)].join('\n    at ') : mapped(error, frames);
}
