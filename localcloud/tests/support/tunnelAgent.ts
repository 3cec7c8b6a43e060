import http from 'node:http';
import https from 'node:https';
import tls from 'node:tls';
import type { Duplex } from 'node:stream';

/**
 * Connects to public names through the local cloud's CONNECT proxy and trusts its authority. It does for one
 * client what `HTTPS_PROXY` and `NODE_EXTRA_CA_CERTS` do for a process; Node reads the latter only at start.
 */
export class TunnelAgent extends https.Agent {
  constructor(
    private readonly proxyPort: number,
    ca: string,
  ) {
    super({ ca, keepAlive: false });
  }

  createConnection(
    options: https.RequestOptions & tls.ConnectionOptions,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): Duplex | null | undefined {
    const host = options.host ?? '';
    const done = (error: Error | null, socket?: Duplex): void => {
      // Node's type requires a stream next to an error, but there is none.
      (callback as ((error: Error | null, stream?: Duplex) => void) | undefined)?.(error, socket);
    };
    const request = http.request({
      host: '127.0.0.1',
      port: this.proxyPort,
      method: 'CONNECT',
      path: `${host}:${options.port ?? 443}`,
    });
    request.on('connect', (response, socket) => {
      if (response.statusCode === 200) {
        const secured = tls.connect({ ca: this.options.ca, socket, servername: host }, () =>
          done(null, secured),
        );
        secured.on('error', done);
      } else {
        socket.destroy();
        done(new Error(`the proxy refused ${host}: ${response.statusCode ?? 0}`));
      }
    });
    request.on('error', done);
    request.end();
    return undefined;
  }
}
