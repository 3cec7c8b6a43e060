import { setTimeout as pause } from 'node:timers/promises';
import { withTimeout } from '../../../../plugins/resources/timeout';

const context = (signal: AbortSignal) => ({ signal, log: () => Promise.resolve() });
/** Work that only its signal ends. */
const endless = (signal: AbortSignal): Promise<void> => pause(60_000, undefined, { signal });

describe('an operation with a timeout', () => {
  it('ends at the timeout, and says which one', async () => {
    const { signal } = new AbortController();
    await expect(
      withTimeout('creating it', { preview: false, timeoutSeconds: 0.01 }, context(signal), endless),
    ).rejects.toThrow("creating it did not finish within 0.01 s: raise the resource's customTimeouts");
  });

  it('may have a timeout of a fraction of a millisecond', async () => {
    const { signal } = new AbortController();
    await expect(
      withTimeout('creating it', { preview: false, timeoutSeconds: 0.0105 }, context(signal), endless),
    ).rejects.toThrow('creating it did not finish within 0.0105 s');
  });

  it('ends when the engine cancels it', async () => {
    const engine = new AbortController();
    const running = withTimeout(
      'creating it',
      { preview: false, timeoutSeconds: 60 },
      context(engine.signal),
      endless,
    );
    engine.abort();
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('passes on any other failure', async () => {
    const { signal } = new AbortController();
    const failing = (): Promise<void> => Promise.reject(new Error('refused'));
    await expect(
      withTimeout('creating it', { preview: false, timeoutSeconds: 60 }, context(signal), failing),
    ).rejects.toThrow('refused');
  });
});
