// The azure-native plugin with a resource manager that only returns recorded answers. Checks and diffs are the
// plugin's own, so that replacements are detected as in an update.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { HttpClient, PipelineRequest, PipelineResponse } from '@azure/core-rest-pipeline';
import { createHttpHeaders } from '@azure/core-rest-pipeline';
import { ArmClient } from '../../../localcloud/plugins/azure-native/arm/client';
import { readSettings } from '../../../localcloud/plugins/azure-native/arm/settings';
import { Transport } from '../../../localcloud/plugins/azure-native/arm/transport';
import { createProvider } from '../../../localcloud/plugins/azure-native/provider';
import { serve } from '../../../localcloud/plugins/protocol/serve';

/** `<method> <path in lower case>` → body. */
type Answers = Record<string, unknown>;

class RecordedManager implements HttpClient {
  constructor(private readonly answers: Answers) {}

  sendRequest(request: PipelineRequest): Promise<PipelineResponse> {
    const { pathname } = new URL(request.url);
    const key = `${request.method} ${decodeURI(pathname).toLowerCase()}`;
    const answer = this.answers[key];
    const missing = { error: { code: 'ResourceNotFound', message: `${key} was not recorded` } };
    return Promise.resolve({
      request,
      status: answer === undefined ? 404 : 200,
      headers: createHttpHeaders(),
      bodyAsText: JSON.stringify(answer ?? missing),
    });
  }
}

/** The payload of an unsigned token. */
const payload = Buffer.from(JSON.stringify({ oid: 'recorded' })).toString('base64url');
const credential = {
  getToken: () =>
    Promise.resolve({ token: `header.${payload}.signature`, expiresOnTimestamp: Date.now() + 3_600_000 }),
};

const file = path.join(process.env.RECORDED_STACK ?? '.', 'answers.json');
const manager = new RecordedManager(JSON.parse(readFileSync(file, 'utf8')) as Answers);

void serve(
  createProvider(process.env, (config, environment) => {
    const settings = readSettings(config, environment);
    return {
      settings,
      credential,
      arm: new ArmClient(settings, credential, manager),
      vaults: new Transport(credential, `https://${settings.cloud.vaultSuffix}/.default`, manager),
    };
  }),
);
