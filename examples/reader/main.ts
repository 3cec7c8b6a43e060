// The example application: becomes ready when it has read its own secrets with the identity that the
// workload identity webhook gave it.
import { createHealthServer } from './health';
import { startReading, type Log } from './reading';
import { vaultSource, type SecretSource } from './secretSource';
import { readSettings, type Settings } from './settings';

const log: Log = (event) => {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), ...event })}\n`);
};

function configure(): { settings: Settings; source: SecretSource } {
  const settings = readSettings(process.env);
  return { settings, source: vaultSource(settings.vaultUri) };
}

try {
  const { settings, source } = configure();
  const stop = new AbortController();
  const reading = startReading({
    source,
    names: settings.secretNames,
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
    log({ event: 'listening', port: settings.port, vault: settings.vaultUri });
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
