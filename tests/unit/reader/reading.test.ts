import type { AddressInfo } from 'node:net';
import { createHealthServer } from '../../../examples/reader/health';
import { startReading, type Log } from '../../../examples/reader/reading';

const hidden = 'a-value-that-nobody-may-see';

/** A reader of a vault whose secrets fail the given number of times, and its log. */
function reader(failures: Record<string, number>): {
  reading: ReturnType<typeof startReading>;
  lines: Parameters<Log>[0][];
  reads: string[];
  stop: AbortController;
} {
  const stop = new AbortController();
  const lines: Parameters<Log>[0][] = [];
  const reads: string[] = [];
  const left = { ...failures };
  const read = (name: string): Promise<string> => {
    reads.push(name);
    const failing = left[name] ?? 0;
    left[name] = failing - 1;
    return failing > 0
      ? Promise.reject(new Error('AADSTS70021: not yet\nTrace ID: 1'))
      : Promise.resolve(hidden);
  };
  const reading = startReading({
    proofs: new Map(Object.keys(failures).map((name) => [name, () => read(name)])),
    refreshEvery: 60_000,
    signal: stop.signal,
    log: (event) => lines.push(event),
  });
  return { reading, lines, reads, stop };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('the reader', () => {
  it('is ready once every secret was read, and waits for propagation', async () => {
    const { reading, stop } = reader({ one: 0, two: 2 });
    await jest.advanceTimersByTimeAsync(0);
    expect(reading.ready()).toBe(false);
    expect(reading.missing()).toEqual(['two']);
    await jest.advanceTimersByTimeAsync(500 + 1000);
    expect(reading.ready()).toBe(true);
    stop.abort();
    await reading.done;
  });

  it('reads again after the period', async () => {
    const { reads, reading, stop } = reader({ one: 0 });
    await jest.advanceTimersByTimeAsync(59_999);
    expect(reads).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(reads).toHaveLength(2);
    stop.abort();
    await reading.done;
  });

  it('logs names and lengths, and never a value', async () => {
    const { lines, reading, stop } = reader({ one: 1 });
    await jest.advanceTimersByTimeAsync(500);
    expect(lines).toEqual([
      { event: 'failed', secret: 'one', reason: 'AADSTS70021: not yet' },
      { event: 'read', secret: 'one', length: hidden.length },
    ]);
    expect(JSON.stringify(lines)).not.toContain(hidden);
    stop.abort();
    await reading.done;
  });

  it('ends at once when it is stopped during a wait', async () => {
    const { reading, stop, reads } = reader({ one: 0 });
    await jest.advanceTimersByTimeAsync(0);
    stop.abort();
    await reading.done;
    await jest.advanceTimersByTimeAsync(120_000);
    expect(reads).toHaveLength(1);
  });
});

describe('the health of the reader', () => {
  it.each([
    ['/healthz', false, 200, 'ok'],
    ['/readyz', false, 503, 'not read yet: two'],
    ['/readyz', true, 200, 'ok'],
    ['/', true, 404, 'not found'],
  ])('%s while ready is %s answers %i', async (path, ready, status, text) => {
    jest.useRealTimers();
    const server = createHealthServer({ ready: () => ready, missing: () => ['two'] });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const response = await fetch(`http://127.0.0.1:${port}${path}`);
      expect({ status: response.status, text: (await response.text()).trim() }).toEqual({ status, text });
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });
});
