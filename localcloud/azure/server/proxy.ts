import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Dispatch } from './exchange';
import { destinationOf, isLoopback, METADATA_HOST, refusal } from './hosts';
import { serving } from './httpServer';

function refuse(socket: Duplex, status: string, text: string): void {
  const body = `${text}\n`;
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** The refusal of a tunnel to `target`; undefined if the tunnel is allowed. */
export function tunnelRefusal(target: string): { status: string; text: string } | undefined {
  const at = target.lastIndexOf(':');
  const host = target.slice(0, at).toLowerCase();
  const port = target.slice(at + 1);
  if (at < 0 || host === '') {
    return { status: '400 Bad Request', text: `'${target}' is not HOST:PORT.` };
  }
  if (isLoopback(host)) {
    return {
      status: '403 Forbidden',
      text: `'${target}' is on this machine: reach it directly, with NO_PROXY=127.0.0.1,localhost.`,
    };
  }
  if (host === METADATA_HOST) {
    return { status: '403 Forbidden', text: `'${target}': '${host}' answers plain requests (http) only.` };
  }
  if (destinationOf(host) === undefined) return { status: '403 Forbidden', text: refusal(host) };
  if (port !== '443') {
    return { status: '403 Forbidden', text: `'${target}': only port 443 of '${host}' is served.` };
  }
  return undefined;
}

/** Host, and path with query, of a plain HTTP request. */
const PLAIN = /^http:\/\/([^/?#@]+?)(?::80)?(\/[^#]*)$/i;

/** The path of a plain HTTP request to the metadata service, as the client sent it; undefined for any other request. */
function metadataPath(target: string): string | undefined {
  const [, host, path] = PLAIN.exec(target) ?? [];
  return host === METADATA_HOST ? path : undefined;
}

/**
 * Creates a proxy that opens tunnels (CONNECT) to the services' public names, all of which lead to the local server, and passes
 * plain HTTP requests to the metadata service. It refuses all other requests.
 */
export function createProxy(azurePort: () => number, dispatch: Dispatch): Server {
  const serve = serving(dispatch);
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const path = metadataPath(request.url ?? '');
    if (path !== undefined) {
      request.url = path;
      request.headers.host = METADATA_HOST;
      serve(request, response);
      return;
    }
    response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8' });
    response.end(
      `'${request.url ?? ''}': this proxy opens tunnels (CONNECT) only. ${refusal(request.headers.host ?? '')}\n`,
    );
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  });
  server.on('connect', (request, client: Duplex, head: Buffer) => {
    client.on('error', () => client.destroy());
    const refused = tunnelRefusal(request.url ?? '');
    if (refused !== undefined) {
      refuse(client, refused.status, refused.text);
      return;
    }
    const upstream = connect(azurePort(), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.write(head);
      upstream.pipe(client);
      client.pipe(upstream);
    });
    // Otherwise, a body that follows its headers waits 40 ms for the acknowledgement of the headers.
    upstream.setNoDelay(true);
    upstream.on('error', () => client.destroy());
    upstream.on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
  });
  // Closing the server alone would wait for open tunnels forever.
  const close = server.close.bind(server);
  server.close = (callback) => {
    for (const socket of sockets) socket.destroy();
    return close(callback);
  };
  return server;
}
