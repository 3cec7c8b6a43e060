const queues = new Map<string, Promise<unknown>>();

/** Runs the tasks for one thing one after the other, in the order of the calls. */
export async function oneAtATime<T>(thing: string, work: () => Promise<T>): Promise<T> {
  const before = queues.get(thing) ?? Promise.resolve();
  const run = before.then(work, work);
  const settled = run.catch(() => undefined);
  queues.set(thing, settled);
  try {
    return await run;
  } finally {
    if (queues.get(thing) === settled) queues.delete(thing);
  }
}
