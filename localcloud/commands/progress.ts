import { Listr, type ListrTask } from 'listr2';
import { interrupted } from './exitCodes';

/** Runs steps and shows their progress: redrawn on a terminal, line by line elsewhere. */
export async function runSteps<Context extends object>(
  steps: ListrTask<Context>[],
  context: Context,
): Promise<void> {
  const options = {
    concurrent: false,
    exitOnError: true,
    ctx: context,
    registerSignalListeners: false,
  } as const;
  const list = process.stdout.isTTY
    ? new Listr<Context>(steps, { ...options, rendererOptions: { collapseErrors: false } })
    : new Listr<Context, 'verbose'>(steps, { ...options, renderer: 'verbose' });
  await list.run(context);
}

/**
 * Returns a promise that rejects and a signal that aborts when the user interrupts. Other processes continue, and the
 * next run finds them.
 */
export function interruption(): { promise: Promise<never>; signal: AbortSignal; dispose: () => void } {
  const controller = new AbortController();
  const { signal } = controller;
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const error = interrupted();
  const stop = (): void => {
    controller.abort(error);
  };
  const promise = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(error);
    });
  });
  // Prevents an unhandled rejection if nobody awaits it yet.
  promise.catch(() => undefined);
  for (const name of signals) process.on(name, stop);
  return {
    promise,
    signal,
    dispose: () => {
      for (const name of signals) process.off(name, stop);
    },
  };
}
