import type { TokenCredential } from '@azure/identity';
import type { HttpClient } from '@azure/core-rest-pipeline';
import { apiVersions, resourceUrl } from '../components/azure/resourceManager';
import { keysApiVersion } from '../components/dependency/keys';
import { fieldsOf } from '../components/resource/fields';
import { valueDigest, valueTag } from '../components/vault/valueTag';
import type { Connections } from './connectionWriting';
import { resourceManager } from './resourceManager';

/** Reads keys and writes secrets through Azure's resource manager, which never returns the values of secrets. */
export function azureConnections(
  endpoint: string,
  credential: TokenCredential,
  client?: HttpClient,
): Connections {
  const send = resourceManager(endpoint, credential, client);
  return {
    async listKeys({ kind, keyHolder }) {
      return send('POST', resourceUrl(endpoint, `${keyHolder}/listKeys`, keysApiVersion(kind)));
    },
    async digestOf({ secret }) {
      const { tags } = fieldsOf(await send('GET', resourceUrl(endpoint, secret, apiVersions.vaults)));
      const digest = fieldsOf(tags)[valueTag];
      return typeof digest === 'string' ? digest : undefined;
    },
    async write({ secret, tags }, value) {
      const body = { properties: { value }, tags: { ...tags, [valueTag]: valueDigest(value) } };
      await send('PUT', resourceUrl(endpoint, secret, apiVersions.vaults), body);
    },
  };
}
