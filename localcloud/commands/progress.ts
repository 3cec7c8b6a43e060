import { Listr, type ListrTask } from 'listr2';
import { VisibleError } from './visibleError';

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

/** Rejects when the user interrupts. Other processes continue, and the next run finds them. */
export function interruption(): { promise: Promise<never>; dispose: () => void } {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  let stop = (): void => undefined;
  const promise = new Promise<never>((_resolve, reject) => {
    stop = () => {
      reject(new VisibleError('Interrupted.', 'Run the command again: it continues where it was.', 130));
    };
  });
  // Prevents an unhandled rejection if nobody awaits it yet.
  promise.catch(() => undefined);
  for (const signal of signals) process.on(signal, stop);
  return {
    promise,
    dispose: () => {
      for (const signal of signals) process.off(signal, stop);
    },
  };
}
