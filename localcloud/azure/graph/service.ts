import { ADMINISTRATOR_OBJECT_ID } from '../../identity';
import { matchPath } from '../arm/endpoint';
import type { Caller, Tokens } from '../identity/tokens';
import { TokenRefused } from '../identity/tokens';
import type { CloudReply, CloudRequest, CloudService } from '../server/exchange';
import type { GraphContext, GraphEndpoint, GraphVersion } from './context';
import { badRequest, clientRequestId, denied, errorReply, GraphError } from './errors';
import { GRAPH_ENDPOINTS, REFUSED } from './routes';

const RESOURCE = 'https://graph.microsoft.com';
const VERSIONS: readonly GraphVersion[] = ['v1.0', 'beta'];
/** A segment with an alternate key: `applications(appId='…')`. */
const WITH_KEY = /^(\w+)\((appId='[^']*')\)$/i;

/** Microsoft Graph: applications, service principals and groups of the directory. */
export class GraphService implements CloudService {
  constructor(
    private readonly context: GraphContext,
    private readonly tokens: Tokens,
  ) {}

  fault(status: number, code: string, message: string): CloudReply {
    return errorReply(new GraphError(status, code, message), this.context.clock.now());
  }

  /** As in the answer in Azure/azure-cli #28009. */
  headers(request: CloudRequest): Record<string, string> {
    return {
      'cache-control': 'no-cache',
      'request-id': request.id,
      'client-request-id': clientRequestId(request),
    };
  }

  async handle(request: CloudRequest): Promise<CloudReply> {
    try {
      return await this.answer(request);
    } catch (error) {
      if (!(error instanceof GraphError)) throw error;
      return errorReply(error, this.context.clock.now(), request);
    }
  }

  private async answer(request: CloudRequest): Promise<CloudReply> {
    const [version = '', ...segments] = request.segments;
    // Graph resolves the path before it checks the token.
    const graphVersion = VERSIONS.find((candidate) => candidate === version.toLowerCase());
    if (graphVersion === undefined) {
      throw badRequest(
        `Invalid version: ${version}. The local cloud has ${VERSIONS.join(', ')}.`,
        'BadRequest',
      );
    }
    const { endpoint, params } = find(request.method, graphVersion, named(segments));
    const caller = await this.authenticate(request.headers['authorization']);
    if (caller.objectId !== ADMINISTRATOR_OBJECT_ID) throw denied();
    checkOptions(endpoint, request);
    return endpoint.handle(this.context, {
      params,
      query: request.query,
      eventual: request.headers['consistencylevel']?.toLowerCase() === 'eventual',
      body: parseJson(request),
      caller,
      version: graphVersion,
      root: `${request.origin}/${graphVersion}`,
      path: segments.map(encodeURIComponent).join('/'),
    });
  }

  /**
   * Graph has one code for all these errors. The messages for an empty and for an expired token are Graph's; the others are
   * assumed.
   */
  private async authenticate(header: string | undefined): Promise<Caller> {
    const refused = (message: string): GraphError =>
      new GraphError(401, 'InvalidAuthenticationToken', message);
    const token = /^Bearer (.+)$/i.exec(header ?? '')?.[1];
    if (token === undefined) throw refused('Access token is empty.');
    try {
      return await this.tokens.verify(token, (audience) => audience.replace(/\/+$/, '') === RESOURCE);
    } catch (error) {
      if (!(error instanceof TokenRefused)) throw error;
      throw refused(
        {
          expired: 'Lifetime validation failed, the token is expired.',
          invalid: 'Access token validation failure. Its signature or form is wrong.',
          tenant: 'Access token validation failure. Invalid issuer.',
          audience: `Access token validation failure. Invalid audience. Expected ${RESOURCE}, found ${error.message}.`,
        }[error.reason],
      );
    }
  }
}

/**
 * The segments of the path in the form of the endpoints' templates: an alternate key is a segment of its own, and a type has
 * its full name.
 */
const named = (segments: readonly string[]): string[] =>
  segments.flatMap((segment) => {
    if (segment.startsWith('graph.')) return [`microsoft.${segment}`];
    const [, set, key] = WITH_KEY.exec(segment) ?? [];
    return set === undefined || key === undefined ? [segment] : [set, key];
  });

/**
 * Finds the operation; throws if there is none. Source of the message for an unsupported method:
 * microsoftgraph/microsoft-graph-docs #3282; of its status: `concepts/errors.md`.
 */
function find(
  method: string,
  version: GraphVersion,
  segments: readonly string[],
): { endpoint: GraphEndpoint; params: Readonly<Record<string, string>> } {
  const endpoints = GRAPH_ENDPOINTS.filter(({ beta }) => version === 'v1.0' || beta === true);
  const at = endpoints.flatMap((endpoint) => {
    const match = matchPath(endpoint.path, segments);
    return match === undefined ? [] : [{ endpoint, params: match.params }];
  });
  const allowed = at.find(({ endpoint }) => endpoint.method === method);
  if (allowed !== undefined) return allowed;
  const path = `/${segments.join('/')}`;
  const last = segments.at(-1) ?? '';
  const reason = REFUSED[last];
  if (reason !== undefined) {
    throw new GraphError(501, 'NotImplemented', `The local cloud does not have '${last}': ${reason}.`);
  }
  if (at.length > 0) {
    throw new GraphError(
      405,
      'Request_BadRequest',
      `Specified HTTP method is not allowed for the request target. '${path}' has ${at.map(({ endpoint }) => endpoint.method).join(', ')}.`,
    );
  }
  const known = endpoints.map((endpoint) => `${endpoint.method} /${endpoint.path}`);
  throw badRequest(
    `Resource not found for the segment '${last}'. '${path}' is not known to the local cloud. It has ${known.join(', ')}.`,
    'BadRequest',
  );
}

/** Refuses unknown query options and preferences, because they would change the answer. */
function checkOptions(endpoint: GraphEndpoint, request: CloudRequest): void {
  const known = endpoint.query ?? [];
  const unknown = [...request.query.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const options = known.length === 0 ? 'none' : known.join(', ');
    throw badRequest(
      `The query option '${unknown}' is not known to the local cloud here. It has ${options}.`,
      'Request_UnsupportedQuery',
    );
  }
  const preference = request.headers['prefer'];
  if (preference === undefined) return;
  throw badRequest(`The local cloud does not know the preference '${preference}' of the header Prefer.`);
}

function parseJson({ body }: CloudRequest): unknown {
  if (body.trim() === '') return undefined;
  try {
    return JSON.parse(body) as unknown;
  } catch {
    throw badRequest(
      'Unable to read JSON request payload. Please ensure Content-Type header is set and payload is of valid JSON format.',
      'BadRequest',
    );
  }
}
