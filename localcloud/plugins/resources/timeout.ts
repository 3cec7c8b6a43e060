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
    const ended = error instanceof Error && ['AbortError', 'TimeoutError'].includes(error.name);
    if (!ended || !late.aborted) throw error;
    throw new Error(`${what} did not finish within ${seconds} s: raise the resource's customTimeouts`);
  }
}
