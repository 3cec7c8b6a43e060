import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, request as httpsRequest } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { createCertificate, isRecorded } from './certificate';
import { recorded, withoutRepetitions, type Recorded } from './record';
import { connectTo, type Upstream } from './upstream';

/** A proxy on loopback that records the requests to Azure's services. */
export interface Recorder {
  /** URL of the proxy. */
  readonly url: string;
  /** The certificate that clients must trust (PEM). */
  readonly certificate: string;
  /** Returns the records until now, without repetitions. */
  records(): Recorded[];
  close(): Promise<void>;
}

/** Headers between two neighbours only (RFC 9110, 7.6.1). The length is set again. */
const hopByHop = ['connection', 'keep-alive', 'proxy-authorization', 'transfer-encoding', 'content-length'];

function passedOn(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.includes(name)));
}

/** Sends a request on, and returns the answer. */
async function forward(upstream: Upstream, host: string, incoming: IncomingMessage, body: Buffer) {
  const socket = await connectTo(upstream, host, 443);
  const secure = connectTls({ socket, servername: host, ...(upstream.ca && { ca: upstream.ca }) });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = httpsRequest(
      {
        ...{ host, method: incoming.method, path: incoming.url },
        createConnection: () => secure,
        // Bodies must be readable.
        headers: {
          ...passedOn(incoming.headers),
          ...{ 'accept-encoding': 'identity', 'content-length': body.length },
        },
      },
      resolve,
    );
    sent.once('error', reject);
    secure.once('error', reject);
    sent.end(body);
  });
  const answer = await buffer(response);
  secure.destroy();
  return { status: response.statusCode ?? 502, headers: response.headers, body: answer };
}

/** Starts a recorder on a free port. */
export async function startRecorder(upstream: Upstream): Promise<Recorder> {
  const { certificate, key } = await createCertificate();
  const all: Recorded[] = [];
  const sockets = new Set<Socket>();

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const host = (incoming.headers.host ?? '').replace(/:\d+$/, '').toLowerCase();
    const { method = '', url: target = '' } = incoming;
    const sent = await buffer(incoming);
    const { body, status, headers } = await forward(upstream, host, incoming, sent);
    all.push(
      recorded({
        ...{ method, host, target },
        request: { headers: incoming.headers, body: sent.toString() },
        response: { status, headers, body: body.toString() },
      }),
    );
    response.writeHead(status, passedOn(headers));
    response.end(body);
  }

  const secure = createTlsServer({ cert: certificate, key }, (incoming, response) => {
    answer(incoming, response).catch((error: unknown) => {
      response.writeHead(502, { 'content-type': 'text/plain' });
      response.end(`The recorder did not reach the service: ${(error as Error).message}\n`);
    });
  });
  const server = createServer((_incoming, response) => {
    response.writeHead(403).end('This proxy opens tunnels only.\n');
  });
  server.on('connect', ({ url: target = '' }, client: Socket, head: Buffer) => {
    const [, host = '', port = ''] = /^([^:]+):(\d+)$/.exec(target.toLowerCase()) ?? [];
    const established = 'HTTP/1.1 200 Connection Established\r\n\r\n';
    client.on('error', () => client.destroy());
    if (isRecorded(host) && port === '443') {
      client.write(established);
      if (head.length > 0) client.unshift(head);
      secure.emit('connection', client);
      return;
    }
    connectTo(upstream, host, Number(port)).then(
      (other) => {
        other.on('error', () => client.destroy());
        other.on('close', () => client.destroy());
        client.on('close', () => other.destroy());
        client.write(established);
        other.write(head);
        other.pipe(client).pipe(other);
      },
      () => client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'),
    );
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    certificate,
    records: () => withoutRepetitions(all),
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        for (const socket of sockets) socket.destroy();
      }),
  };
}
