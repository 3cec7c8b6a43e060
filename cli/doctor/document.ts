import {
  createDefaultHttpClient,
  createPipelineFromOptions,
  createPipelineRequest,
} from '@azure/core-rest-pipeline';
import { messageOf } from '../../components/resource/errors';
import { parsedJson } from '../json';
import { fieldsOf } from '../../components/resource/fields';
import { UserError } from '../userError';

/** A public JSON document, and the server's time. */
interface Document {
  readonly fields: Record<string, unknown>;
  readonly date: Date;
}

/** Reads a document that needs no sign-in. */
export type ReadDocument = (url: string) => Promise<Document>;

/** Timeout of a request, in milliseconds. */
const timeout = 20_000;

/** Reads a document as Entra would. Uses proxies from the environment. @throws UserError if there is none */
export const readDocument: ReadDocument = async (url) => {
  const pipeline = createPipelineFromOptions({ retryOptions: { maxRetries: 1 } });
  const request = createPipelineRequest({ url, timeout, allowInsecureConnection: true });
  const { status, headers, bodyAsText } = await pipeline
    .sendRequest(createDefaultHttpClient(), request)
    .catch((error: unknown) => {
      throw new UserError(
        `${url} cannot be reached: ${messageOf(error)}`,
        'Check the network, its firewall and its proxy (HTTPS_PROXY).',
      );
    });
  if (status !== 200) throw new UserError(`${url} answered ${status}.`, 'Check the address.');
  return { fields: fieldsOf(parsedJson(bodyAsText ?? '')), date: new Date(headers.get('date') ?? NaN) };
};
