// The program of the test image `reader`: it reads the secret SECRET_NAME in the vault KEY_VAULT_URI with the identity that
// its pod gives it, and is ready when it has.
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { DefaultAzureCredential, WorkloadIdentityCredential } from '@azure/identity';
import { SecretClient } from '@azure/keyvault-secrets';

const { env } = process;

// A proxy in HTTPS_PROXY does not lead to the token proxy of the cluster.
const withoutProxy = {
  name: 'withoutProxy',
  sendRequest(request, next) {
    request.agent = undefined;
    return next(request);
  },
};

/** The credential that AZURE_TOKEN_CREDENTIALS selects; else the token of the service account, or its identity binding. */
function credential() {
  if (env.AZURE_TOKEN_CREDENTIALS !== undefined) return new DefaultAzureCredential();
  if (env.AZURE_KUBERNETES_TOKEN_PROXY === undefined) return new WorkloadIdentityCredential();
  const additionalPolicies = [{ position: 'perRetry', policy: withoutProxy }];
  return new WorkloadIdentityCredential({ enableAzureProxy: true, additionalPolicies });
}

let ready = false;
createServer((request, response) => {
  response.writeHead(request.url === '/readyz' && !ready ? 503 : 200).end();
}).listen(Number(env.PORT), env.HOST);

const client = new SecretClient(env.KEY_VAULT_URI, credential());
while (!ready) {
  try {
    await client.getSecret(env.SECRET_NAME);
    ready = true;
    console.log(`read ${env.SECRET_NAME}`);
  } catch (error) {
    console.log(String(error));
    await pause(500);
  }
}
