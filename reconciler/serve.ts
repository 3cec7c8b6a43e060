import { createServer } from 'node:http';
import type { Log } from './log';
import type { Reconciling } from './reconciling';

/** What a program of this folder is started with. */
export interface Start {
  /** Path of what it reads at each run; undefined: the program's own. */
  readonly file: string | undefined;
  /** It runs once, in a pipeline. */
  readonly isOnce: boolean;
  readonly log: Log;
}

/** Milliseconds without a run after which the program is taken for stuck. A run may wait for Azure. */
const stale = 5 * 60_000;

/** Runs what the arguments of the process say: `node reconcile.cjs <file> [--once]`. */
export function serve(reconcilingWith: (start: Start) => Reconciling): void {
  const { INTERVAL_SECONDS: interval, PORT: port, HOST: host } = process.env;
  /** Milliseconds between two runs. */
  const period = Number(interval ?? 60) * 1000;
  const [file, once] = process.argv.slice(2);
  const isOnce = once === '--once';
  const reconciling = reconcilingWith({
    ...{ file, isOnce },
    log: (event) => {
      process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), ...event })}\n`);
    },
  });

  async function loop(): Promise<never> {
    for (;;) {
      await reconciling.run();
      await new Promise((resolve) => setTimeout(resolve, period));
    }
  }

  if (isOnce) {
    void reconciling.run().then((ok) => (process.exitCode = ok ? 0 : 1));
    return;
  }
  const started = Date.now();
  const isAlive = () => reconciling.ranWithin(stale) || Date.now() - started < stale;
  createServer(({ url }, response) => {
    const ok = url === '/readyz' ? reconciling.ready() : isAlive();
    response.writeHead(ok ? 200 : 503).end();
  }).listen(Number(port ?? 8080), host);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(0));
  void loop();
}
