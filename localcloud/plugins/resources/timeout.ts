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
  const own = new AbortController();
  const cancel = (): void => own.abort();
  const outcome = { late: false };
  const timer = setTimeout(() => {
    outcome.late = true;
    cancel();
  }, seconds * 1000);
  timer.unref();
  if (context.signal.aborted) cancel();
  context.signal.addEventListener('abort', cancel);
  try {
    return await work(own.signal);
  } catch (error) {
    if (outcome.late && error instanceof Error && error.name === 'AbortError') {
      throw new Error(`${what} did not finish within ${seconds} s: raise the resource's customTimeouts`);
    }
    throw error;
  } finally {
    clearTimeout(timer);
    context.signal.removeEventListener('abort', cancel);
  }
}
