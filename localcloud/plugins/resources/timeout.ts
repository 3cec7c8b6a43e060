import type { Context, OperationOptions } from '../protocol';

/** Timeout without `customTimeouts`, the same as the official plugin's. */
const defaultSeconds = 2 * 60 * 60;

/** Runs the task until it ends, the engine cancels it, or the user's `customTimeouts` expire. */
export async function withTimeout<T>(
  operation: string,
  options: OperationOptions,
  context: Context,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const seconds = options.timeoutSeconds > 0 ? options.timeoutSeconds : defaultSeconds;
  const late = AbortSignal.timeout(Math.ceil(seconds * 1000));
  try {
    return await work(AbortSignal.any([context.signal, late]));
  } catch (error) {
    if (!late.aborted || !isAbort(error)) throw error;
    throw new Error(`${operation} did not finish within ${seconds} s: raise the resource's customTimeouts`);
  }
}

/** Tells whether an error is that of aborted work: the called function's own, or the signal's. */
function isAbort(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'name' in error &&
    (error.name === 'AbortError' || error.name === 'TimeoutError')
  );
}
