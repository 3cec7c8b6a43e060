/** Waits; rejects as soon as the signal aborts. */
export function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      settle();
    };
    const abort = (): void => end(() => reject(cancelled()));
    const timer = setTimeout(() => end(resolve), milliseconds);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort);
  });
}

/** The error of an operation that the engine cancelled. */
export function cancelled(): Error {
  const error = new Error('the operation was cancelled');
  error.name = 'AbortError';
  return error;
}
