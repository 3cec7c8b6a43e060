import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Server } from 'node:https';
import { createServer } from 'node:https';
import type { Duplex } from 'node:stream';
import type { CloudReply, CloudRequest, Dispatch, Refusal } from './exchange';
import type { TlsFiles } from './tls';

/** The resource manager's own limit for a request body is 4 MB. */
const BODY_LIMIT = 4 * 1024 * 1024;
/** Milliseconds that an idle connection stays open. */
const KEEP_ALIVE = 72_000;

/** Source of code and message: Azure/azure-api-management-devops-resource-kit #594. */
const TOO_LARGE: Refusal = {
  status: 413,
  code: 'RequestContentTooLarge',
  message: 'The request content size exceeds the maximum size of 4 MB.',
};
/** Azure's answer is not known: none of its resource names has a slash. */
const BAD_PATH: Refusal = {
  status: 400,
  code: 'BadRequest',
  message: 'The path is not well encoded, or has an encoded slash.',
};

/** Refuses a slash inside a segment, so that the authorized id is the one that is looked up. */
function decodeSegment(segment: string): string {
  const decoded = decodeURIComponent(segment);
  if (decoded.includes('/')) throw new URIError('an encoded slash');
  return decoded;
}

function decodePath(segments: string[]): string[] | undefined {
  try {
    return segments.map(decodeSegment);
  } catch {
    return undefined;
  }
}

const single = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(',') : value;

/** Reads the whole body; undefined if it is too large. Even then it is read to the end, so that the client reads the answer. */
async function readBody(incoming: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= BODY_LIMIT) chunks.push(chunk);
    else chunks.length = 0;
  }
  return size > BODY_LIMIT ? undefined : Buffer.concat(chunks).toString('utf8');
}

async function answer(incoming: IncomingMessage, dispatch: Dispatch): Promise<CloudReply> {
  const target = incoming.url ?? '';
  const [path = '', ...rest] = target.split('?');
  const authority = incoming.headers.host ?? '127.0.0.1';
  const encoded = path.split('/').filter((segment) => segment !== '');
  const segments = decodePath(encoded);
  const body = await readBody(incoming);
  const request: CloudRequest = {
    id: randomUUID(),
    method: incoming.method ?? '',
    host: authority.replace(/:\d+$/, '').toLowerCase(),
    origin: `https://${authority.toLowerCase()}`,
    target,
    segments: segments ?? encoded,
    query: new URLSearchParams(rest.join('?')),
    headers: Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [name, single(value)]),
    ),
    body: body ?? '',
  };
  if (body === undefined) return dispatch(request, TOO_LARGE);
  return dispatch(request, segments === undefined ? BAD_PATH : undefined);
}

function send(outgoing: ServerResponse, { status, headers, body, content }: CloudReply): void {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const bytes = content?.bytes ?? (text === undefined ? undefined : Buffer.from(text));
  const type = content?.type ?? 'application/json; charset=utf-8';
  outgoing.writeHead(status, {
    'x-local-cloud': 'true',
    ...headers,
    ...(bytes === undefined ? {} : { 'content-type': type, 'content-length': bytes.length }),
  });
  outgoing.end(bytes);
}

const STATUSES: ReadonlyMap<string | undefined, number> = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
]);

/**
 * Answers input that the server cannot read as a request, such as one with an unknown method, in the resource manager's
 * envelope. Azure's own answer is not known.
 */
function refuse(socket: Duplex, status: number): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const id = randomUUID();
  const error =
    status === 405
      ? { code: 'MethodNotAllowed', message: 'The HTTP method is not supported.' }
      : { code: 'BadRequest', message: 'The request is not a complete HTTP request.' };
  const body = JSON.stringify({ error });
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    `date: ${new Date().toUTCString()}`,
    `x-ms-request-id: ${id}`,
    `x-ms-correlation-request-id: ${id}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

/**
 * The status for a parser error. The parser reports an invalid method for any input that does not begin with a known one, so
 * 405 is only for input in the form of a request.
 */
function statusOf({ code, rawPacket }: NodeJS.ErrnoException & { rawPacket?: Buffer }): number {
  const isRequest = /^\S+ \S+ HTTP\/1\.[01]\r\n/.test(rawPacket?.toString('latin1') ?? '');
  return code === 'HPE_INVALID_METHOD' && isRequest ? 405 : (STATUSES.get(code) ?? 400);
}

/** Passes requests of all hosts, paths and methods to the services. */
export const serving =
  (dispatch: Dispatch) =>
  (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    answer(incoming, dispatch)
      .then((reply) => send(outgoing, reply))
      // The client disconnected before the end of its request.
      .catch(() => outgoing.destroy());
  };

/** The HTTPS server. */
export function createHttpServer(tls: TlsFiles, dispatch: Dispatch): Server {
  const serve = serving(dispatch);
  const server = createServer(
    {
      cert: tls.certificate,
      key: tls.key,
      keepAliveTimeout: KEEP_ALIVE,
      noDelay: true,
      requireHostHeader: false,
    },
    serve,
  );
  server.on('checkExpectation', serve);
  server.on('connect', (_request, socket: Duplex) => {
    // The server no longer handles errors of this socket.
    socket.on('error', () => socket.destroy());
    refuse(socket, 405);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuse(socket, statusOf(error)));
  return server;
}
