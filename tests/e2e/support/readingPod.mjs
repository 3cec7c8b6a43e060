// A pod that reads continuously, and appends the results to a file of the test. It reads its secret from the vault or from
// a file; or it reads a storage account with the key in a connection string, which is in a variable or in such a file.
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DefaultAzureCredential, WorkloadIdentityCredential } from '@azure/identity';
import { SecretClient } from '@azure/keyvault-secrets';
import { BlobServiceClient } from '@azure/storage-blob';

const {
  AZURE_CLIENT_ID,
  AZURE_TOKEN_CREDENTIALS,
  KEY_VAULT_URI,
  SECRET_NAMES = '',
  SECRET_FILES,
  FILES_CONNECTION_STRING,
  READS_BY_KEY,
  READINGS,
  PORT,
} = process.env;
const way = READS_BY_KEY !== undefined ? 'key' : SECRET_FILES === undefined ? 'vault' : 'file';
// A retry would hide a failure.
const options = { retryOptions: { maxRetries: 0 } };
/** Number of reads after which it signs in again, as a program that starts does. */
const session = 50;
/** Number of reads in one line of the file. */
const batch = 10;
/** Milliseconds between two reads. Without a pause, the readers would take the processor from the tested programs. */
const pause = 50;

/** Signs in as the example application does (examples/reader). */
const signIn = () =>
  AZURE_TOKEN_CREDENTIALS === undefined
    ? new WorkloadIdentityCredential(options)
    : new DefaultAzureCredential(options);

let stopping = false;
let ready = false;
let client;
/** Failures before the pod was ready for the first time. */
const beforeReady = [];

const readFile = () => readFileSync(path.join(SECRET_FILES, SECRET_NAMES), 'utf8');

async function read() {
  if (way === 'file') return readFile();
  if (way === 'key') {
    const connectionString = FILES_CONNECTION_STRING ?? readFile();
    const once = { retryOptions: { maxTries: 1 } };
    await BlobServiceClient.fromConnectionString(connectionString, once).getAccountInfo();
    return connectionString;
  }
  const { value } = await client.getSecret(SECRET_NAMES);
  return value;
}

process.once('SIGTERM', () => (stopping = true));
createServer((request, response) => {
  response.writeHead(request.url !== '/readyz' || ready ? 200 : 503).end();
}).listen(Number(PORT), '127.0.0.1');

for (let batches = 0; !stopping; batches += 1) {
  if (way === 'vault' && (batches * batch) % session === 0)
    client = new SecretClient(KEY_VAULT_URI, signIn(), options);
  const done = { client: AZURE_CLIENT_ID, way, reads: 0, failures: [], values: [] };
  while (!stopping && done.reads < batch) {
    done.reads += 1;
    try {
      const value = createHash('sha256')
        .update(await read())
        .digest('hex');
      if (done.values.at(-1) !== value) done.values.push(value);
      ready = true;
    } catch (error) {
      // aad-pod-identity gives no token before its controller has assigned the identity.
      const early = !ready && AZURE_TOKEN_CREDENTIALS !== undefined;
      (early ? beforeReady : done.failures).push(String(error));
    }
    await sleep(pause);
  }
  // For a pod that was never ready, its early failures count too.
  if (stopping && !ready) done.failures.push(...beforeReady);
  appendFileSync(READINGS, `${JSON.stringify(done)}\n`);
}
process.exit(0);
