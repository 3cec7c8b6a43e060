const queues = new Map<string, Promise<unknown>>();

/** Runs pieces of work on the same thing one after the other, in the order in which they come. */
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
