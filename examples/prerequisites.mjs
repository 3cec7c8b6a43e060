// Creates the prerequisites of an example: the resources in a file, in their order, in Azure or in the local cloud of
// `npx aks-wi cloud env`. It does not change existing resources. It signs in like other programs, for example after `az login`.
//   node examples/prerequisites.mjs examples/configurations/roles/prerequisites.yaml
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import {
  bearerTokenAuthenticationPolicy,
  createDefaultHttpClient,
  createHttpHeaders,
  createPipelineFromOptions,
  createPipelineRequest,
} from '@azure/core-rest-pipeline';
import { DefaultAzureCredential } from '@azure/identity';
import { parse } from 'yaml';

const manager = 'https://management.azure.com';
const client = createDefaultHttpClient();
const pipeline = createPipelineFromOptions({});
pipeline.addPolicy(
  bearerTokenAuthenticationPolicy({
    credential: new DefaultAzureCredential(),
    scopes: `${manager}/.default`,
  }),
);

async function send(method, { id, apiVersion }, body) {
  const request = createPipelineRequest({
    method,
    url: `${manager}${id}?api-version=${apiVersion}`,
    headers: createHttpHeaders({ 'content-type': 'application/json' }),
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const { status, bodyAsText } = await pipeline.sendRequest(client, request);
  if (status >= 400 && !(status === 404 && method === 'GET'))
    throw new Error(`${method} ${id}: ${bodyAsText}`);
  return {
    status,
    state: status < 300 ? JSON.parse(bodyAsText || '{}').properties?.provisioningState : undefined,
  };
}

/** Waits until Azure has created the resource. */
async function ready(resource) {
  for (;;) {
    const { status, state = 'Succeeded' } = await send('GET', resource);
    if (status === 200 && state === 'Succeeded') return;
    if (state === 'Failed' || state === 'Canceled') throw new Error(`${resource.id}: ${state}`);
    await pause(1000);
  }
}

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('Name a file: node examples/prerequisites.mjs FILE');
for (const { id, apiVersion, ...body } of parse(await readFile(file, 'utf8'))) {
  const resource = { id, apiVersion };
  const { status } = await send('GET', resource);
  if (status === 404) await send('PUT', resource, body);
  // After an interrupted run, Azure may still be creating an existing resource.
  await ready(resource);
  console.log(`${status === 404 ? 'created' : 'exists '} ${id}`);
}
