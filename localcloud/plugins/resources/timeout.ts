import type { Context, OperationOptions } from '../protocol';

/** The official plugin's default. */
const defaultSeconds = 2 * 60 * 60;

/** Runs the task until it ends, the engine cancels it, or the user's `customTimeouts` expire. */
export async function withTimeout<T>(
  what: string,
  options: OperationOptions,
  context: Context,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const seconds = options.timeoutSeconds > 0 ? options.timeoutSeconds : defaultSeconds;
  const late = AbortSignal.timeout(seconds * 1000);
  try {
    return await work(AbortSignal.any([context.signal, late]));
  } catch (error) {
    if (!late.aborted || !isAbort(error)) throw error;
    throw new Error(`${what} did not finish within ${seconds} s: raise the resource's customTimeouts`);
  }
}

/** What aborted work throws: the error of the function that it called, or the signal's own. */
function isAbort(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'name' in error &&
    (error.name === 'AbortError' || error.name === 'TimeoutError')
  );
}
