import type { CloudRequest } from '../server/exchange';
import type { ArmEndpoint } from './endpoint';
import { ArmError } from './errors';

/** Returns the query in the endpoint's spelling. Names are matched case-insensitively; an unknown one is refused. */
export function readQuery(endpoint: ArmEndpoint, query: URLSearchParams): URLSearchParams {
  const own = endpoint.query ?? [];
  const allowed = ['api-version', ...own, ...(own.includes('$top') ? ['$skiptoken'] : [])];
  const read = new URLSearchParams();
  for (const [name, value] of query) {
    const known = allowed.find((each) => each.toLowerCase() === name.toLowerCase());
    if (known === undefined) {
      throw new ArmError(
        400,
        'InvalidQueryParameter',
        `The query parameter '${name}' is not known to the local cloud for ${endpoint.operation}. Known here: ${allowed.join(', ')}.`,
      );
    }
    read.append(known, value);
  }
  return read;
}

/** Parses the JSON in a body; undefined if the body is empty. */
export function readJson({ body, headers }: CloudRequest): unknown {
  if (body.trim() === '') return undefined;
  const type = headers['content-type']?.split(';')[0]?.trim();
  if (type?.toLowerCase() !== 'application/json') {
    // Source: Azure/azure-cli #10143.
    throw new ArmError(
      415,
      'UnsupportedMediaType',
      `The content media type '${type ?? '<null>'}' is not supported. Only 'application/json' is supported.`,
    );
  }
  try {
    return JSON.parse(body) as unknown;
  } catch {
    // The parser's message is not used, because it quotes the body, which may contain a secret.
    throw new ArmError(
      400,
      'InvalidRequestContent',
      'The request content was invalid and could not be deserialized: it is not JSON.',
    );
  }
}
