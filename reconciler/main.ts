// Opens and closes access windows: `node reconcile.cjs <schedule> [--once]`. It runs in a cluster, where it signs in by
// workload identity, or with `--once` in a pipeline, as whom the Azure CLI is signed in as.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { AzureCliCredential, WorkloadIdentityCredential } from '@azure/identity';
import { azureAssignments } from './azure';
import { Reconciler } from './reconciler';

const {
  AZURE_FEDERATED_TOKEN_FILE: tokenFile,
  INTERVAL_SECONDS: interval,
  PORT: port,
  HOST: host,
} = process.env;
/** Milliseconds between two runs. */
const period = Number(interval ?? 60) * 1000;
/** Milliseconds without a run after which the program is taken for stuck. A run may wait for Azure. */
const stale = 5 * 60_000;
const [file = '/schedule/schedule.json', once] = process.argv.slice(2);
const isOnce = once === '--once';
const credential =
  isOnce && tokenFile === undefined ? new AzureCliCredential() : new WorkloadIdentityCredential();
const reconciler = new Reconciler({
  read: () => readFile(file, 'utf8'),
  assignmentsAt: (resourceManager) => azureAssignments(resourceManager, credential),
  now: Date.now,
  log: (event) => {
    process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), ...event })}\n`);
  },
});

async function loop(): Promise<never> {
  for (;;) {
    await reconciler.run();
    await new Promise((resolve) => setTimeout(resolve, period));
  }
}

if (isOnce) {
  void reconciler.run().then((ok) => (process.exitCode = ok ? 0 : 1));
} else {
  const started = Date.now();
  const isAlive = () => reconciler.ranWithin(stale) || Date.now() - started < stale;
  createServer(({ url }, response) => {
    const ok = url === '/readyz' ? reconciler.ready() : isAlive();
    response.writeHead(ok ? 200 : 503).end();
  }).listen(Number(port ?? 8080), host);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(0));
  void loop();
}
