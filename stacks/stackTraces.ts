import { sdkModule } from './sdkModule';

/** The function of the SDK, internal to it, through which each of its promises goes. */
interface Debuggable {
  debuggablePromise: <T>(promise: Promise<T>, context: unknown) => Promise<T>;
}

/**
 * Leaves stack traces that nobody reads unmapped. The TypeScript loader maps every trace to its source, which takes a sixth of a
 * preview's time. Pulumi's records of where a resource or a promise comes from are errors without a message (@pulumi/pulumi,
 * runtime/debuggable.js, resource.js). All other errors are mapped.
 */
export function leaveUnreadStackTraces(): void {
  const mapped = Reflect.get(Error, 'prepareStackTrace') as typeof Error.prepareStackTrace | undefined;
  if (mapped === undefined) return;
  Error.prepareStackTrace = (error, frames): unknown =>
    error.message === '' ? [error.name, ...frames.map(String)].join('\n    at ') : mapped(error, frames);
}

/**
 * Keeps the SDK from recording a stack trace for each promise, of which it makes four for each property of each resource: a
 * quarter of the program's time. It prints them only if the variable PULUMI_DEBUG_PROMISE_LEAKS is set; then it records them.
 *
 * @param sdk the module of the SDK in which it looks the function up
 */
export function recordNoStackTracesOfPromises(
  sdk: Debuggable = sdkModule('runtime/debuggable') as Debuggable,
  env: NodeJS.ProcessEnv = process.env,
): void {
  if (env.PULUMI_DEBUG_PROMISE_LEAKS) return;
  const { debuggablePromise } = sdk;
  // It is internal, and may be gone.
  if (typeof debuggablePromise !== 'function') return;
  sdk.debuggablePromise = (promise, context) => {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    try {
      return debuggablePromise(promise, context);
    } finally {
      Error.stackTraceLimit = limit;
    }
  };
}
