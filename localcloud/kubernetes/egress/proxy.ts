import { rm } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from '../../logger';
import { Refusals } from './refusals';

/** The target of a connection to a cluster address: a loopback port, or the reason why there is none. */
export type EgressTarget = { port: number } | { refused: string };
export type EgressResolver = (host: string, port: number) => EgressTarget;

/**
 * Starts the API server's way to the cluster's network (webhooks, conversion, the node): a CONNECT proxy on a socket
 * file, which routes cluster addresses to the loopback ports of processes.
 *
 * @returns a function that stops it
 */
export async function startEgressProxy(
  socketFile: string,
  resolve: EgressResolver,
  logger: Logger,
): Promise<() => Promise<void>> {
  await rm(socketFile, { force: true });
  const connections = new Set<Duplex>();
  const refusals = new Refusals((message) => logger.info(message));
  const server = http.createServer((_request, response) => {
    response.writeHead(405).end('only CONNECT\n');
  });
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  server.on('connect', (request, client: Duplex, head: Buffer) => {
    const address = request.url ?? '';
    const separator = address.lastIndexOf(':');
    const target = resolve(address.slice(0, separator), Number(address.slice(separator + 1)));
    client.on('error', () => client.destroy());
    if ('refused' in target) {
      refusals.refused(address, target.refused);
      client.end(`HTTP/1.1 502 ${target.refused}\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    refusals.open(address);
    const upstream = net.connect(target.port, '127.0.0.1');
    // Otherwise a body that follows its headers waits 40 ms for the acknowledgement of the headers.
    upstream.setNoDelay(true);
    upstream.once('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on('error', (error) => {
      if (upstream.connecting || upstream.pending)
        client.end(`HTTP/1.1 502 ${error.message}\r\nContent-Length: 0\r\n\r\n`);
      else client.destroy();
    });
    upstream.once('close', () => client.destroy());
    client.once('close', () => upstream.destroy());
  });
  await new Promise<void>((ok, failed) => {
    server.once('error', failed);
    server.listen(socketFile, ok);
  });
  return async () => {
    const closed = new Promise((done) => server.close(done));
    for (const connection of connections) connection.destroy();
    await closed;
  };
}
