// The example application: becomes ready when it has read its own secrets with the identity that the
// workload identity webhook gave it, or has found them where they were brought to it.
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
      // A request that is under way may take long to end by itself.
      setTimeout(() => process.exit(0), 3000).unref();
    });
  }
} catch (error) {
  // Without the webhook's variables the credential refuses to be made: the usual cause is the missing label.
  log({
    event: 'failed',
    reason: error instanceof Error ? error.message : String(error),
    remedy:
      'the pod needs the label azure.workload.identity/use: "true" and an annotated service account, ' +
      'and the container KEY_VAULT_URI and SECRET_NAMES',
  });
  process.exitCode = 1;
}
