import { createServer } from 'node:http';
import type { Log } from './log';
import type { Reconciling } from './reconciling';

/** Start parameters of a program in this folder. */
export interface Start {
  /** Path of the document that each run reads. Default: the program's own. */
  readonly file: string | undefined;
  /** Runs once and exits, as in a pipeline. */
  readonly isOnce: boolean;
  readonly log: Log;
}

/** Milliseconds without a finished run after which the program counts as stuck. */
const stale = 5 * 60_000;

/** Runs a job according to the process arguments: `node reconcile.cjs <file> [--once]`. */
export function serve(reconcilingWith: (start: Start) => Reconciling): void {
  const { INTERVAL_SECONDS: interval, PORT: port, HOST: host } = process.env;
  /** Milliseconds between two runs. */
  const period = Number(interval ?? 60) * 1000;
  const [file, option] = process.argv.slice(2);
  const isOnce = option === '--once';
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
