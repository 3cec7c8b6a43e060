/**
 * Pulumi writes down a stack for each promise of a run, for leaks that it may find, and the loader of TypeScript leads every
 * stack back to its source: a sixth of the time of a preview. Those stay as they come; they are known by their lack of a
 * message (@pulumi/pulumi, runtime/debuggable.js). Errors that somebody reads are led back as before.
 */
export function leaveUnreadStackTraces(): void {
  const mapped = Reflect.get(Error, 'prepareStackTrace') as typeof Error.prepareStackTrace | undefined;
  if (mapped === undefined) return;
  Error.prepareStackTrace = (error, frames): unknown =>
    error.message === '' ? [error.name, ...frames.map(String)].join('\n    at ') : mapped(error, frames);
}
