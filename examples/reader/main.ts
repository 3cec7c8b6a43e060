// The example application. It is ready when it has read all its secrets: from the vault with the identity that the workload
// identity webhook injects, or from files and environment variables.
import { createHealthServer } from './health';
import { startReading, type Log } from './reading';
import { proofsOf, type Proofs } from './secretSource';
import { readSettings, type Settings } from './settings';

const log: Log = (event) => {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), ...event })}\n`);
};

function configure(): { settings: Settings; proofs: Proofs } {
  const settings = readSettings(process.env);
  return { settings, proofs: proofsOf(settings, process.env) };
}

try {
  const { settings, proofs } = configure();
  const stop = new AbortController();
  const reading = startReading({
    proofs,
    refreshEvery: settings.refreshEvery,
    signal: stop.signal,
    log,
  });
  const server = createHealthServer(reading);
  server.on('error', (error) => {
    log({ event: 'failed', reason: error.message });
    process.exit(1);
  });
  server.listen({ port: settings.port, host: settings.host }, () => {
    log({ event: 'listening', port: settings.port, proofs: proofs.size });
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      log({ event: 'stopping', signal });
      stop.abort();
      server.close();
      server.closeAllConnections();
      // Do not wait long for running requests.
      setTimeout(() => process.exit(0), 3000).unref();
    });
  }
} catch (error) {
  // The credential's constructor throws without the webhook's variables; usually the pod lacks the label.
  log({
    event: 'failed',
    reason: error instanceof Error ? error.message : String(error),
    hint:
      'the pod needs the label azure.workload.identity/use: "true" and an annotated service account, ' +
      'and the container KEY_VAULT_URI and SECRET_NAMES',
  });
  process.exitCode = 1;
}
