import { awaitProgram } from '../../../localcloud/kubernetes/agent/program';

/** A program that is built until `finish` is called, and what is told meanwhile. */
function build() {
  const told: string[] = [];
  const first: string[] = [];
  const ending = new AbortController();
  let finish: (path: string) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  let sleeping: (() => void) | undefined;
  let step: string | undefined = 'queued';
  const work = new Promise<string>((resolve, reject) => {
    finish = resolve;
    fail = reject;
  });
  const awaited = awaitProgram(work, {
    progress: () => step,
    onProgress: (message) => told.push(message),
    onFirst: () => Promise.resolve(void first.push('event')),
    signal: ending.signal,
    sleep: (_ms, signal) =>
      new Promise((resolve, reject) => {
        sleeping = resolve;
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      }),
  });
  awaited.catch(() => undefined);
  /** The time comes at which it reports. */
  const report = async () => {
    const wake = sleeping;
    sleeping = undefined;
    wake?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    told,
    first,
    ending,
    finish,
    fail,
    awaited,
    report,
    at: (now: string | undefined) => (step = now),
  };
}

describe('waiting for a program', () => {
  it('says nothing where it is there at once', async () => {
    const { told, first, finish, awaited, report } = build();
    finish('/tools/x');
    expect(await awaited).toBe('/tools/x');
    await report();
    expect([told, first]).toEqual([[], []]);
  });

  it('tells how far a build is, again and again, with one event', async () => {
    const { told, first, finish, awaited, report, at } = build();
    await report();
    at('compiling');
    await report();
    finish('/tools/x');
    expect(await awaited).toBe('/tools/x');
    expect(told).toEqual(['queued', 'compiling']);
    expect(first).toEqual(['event']);
  });

  it('says nothing where it waits for something else', async () => {
    const { told, first, finish, awaited, report, at } = build();
    at(undefined);
    await report();
    await report();
    finish('/tools/x');
    await awaited;
    expect([told, first]).toEqual([[], []]);
  });

  it('hands on why a build failed', async () => {
    const { fail, awaited } = build();
    fail(new Error('no Go'));
    await expect(awaited).rejects.toThrow('no Go');
  });

  it('ends with its pod, without waiting for the build', async () => {
    const { told, ending, awaited, report } = build();
    await report();
    ending.abort(new Error('the pod is gone'));
    await expect(awaited).rejects.toThrow('the pod is gone');
    await report();
    expect(told).toEqual(['queued']);
  });
});
