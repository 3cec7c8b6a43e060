import fastify from 'fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CloudReply, CloudRequest } from './exchange';
import type { TlsFiles } from './tls';

const METHODS = ['GET', 'HEAD', 'PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS'];
/** The resource manager's own limit for a request body is 4 MB. */
const BODY_LIMIT = 4 * 1024 * 1024;

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(',') : value;
}

/** Refuses a slash inside a segment, so that the authorized id is the one that is looked up. */
function decodeSegment(segment: string): string {
  const decoded = decodeURIComponent(segment);
  if (decoded.includes('/')) throw new URIError('an encoded slash');
  return decoded;
}

function translate(request: FastifyRequest): CloudRequest | undefined {
  const [rawPath = '', ...rest] = request.raw.url?.split('?') ?? [];
  const authority = request.headers.host ?? '127.0.0.1';
  try {
    return {
      method: request.method,
      host: authority.replace(/:\d+$/, '').toLowerCase(),
      origin: `https://${authority.toLowerCase()}`,
      segments: rawPath
        .split('/')
        .filter((segment) => segment !== '')
        .map(decodeSegment),
      query: new URLSearchParams(rest.join('?')),
      headers: Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, single(value)]),
      ),
      body: typeof request.body === 'string' ? request.body : '',
    };
  } catch {
    return undefined;
  }
}

/** The HTTPS server. It passes requests of all hosts and paths to the services. */
export function createHttpServer(
  tls: TlsFiles,
  dispatch: (request: CloudRequest) => Promise<CloudReply>,
): FastifyInstance {
  const server = fastify({
    https: { cert: tls.certificate, key: tls.key },
    bodyLimit: BODY_LIMIT,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  const handle = async (request: FastifyRequest): Promise<CloudReply> => {
    const translated = translate(request);
    if (translated === undefined) {
      return {
        status: 400,
        body: {
          error: { code: 'BadRequest', message: 'The path is not well encoded, or has an encoded slash.' },
        },
      };
    }
    return dispatch(translated);
  };
  server.route({
    method: METHODS,
    url: '/*',
    handler: async (request, reply) => {
      const { status, headers, body, content } = await handle(request);
      void reply.code(status).headers({ 'x-local-cloud': 'true', ...headers });
      if (content !== undefined) return reply.type(content.type).send(content.bytes);
      if (body === undefined) return reply.send();
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(body));
    },
  });
  return server;
}
