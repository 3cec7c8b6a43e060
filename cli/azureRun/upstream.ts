import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';

/** Proxy and certificates for requests to the services. */
export interface Upstream {
  /** URL of a proxy. Default: the services are reached directly. */
  readonly proxy?: string | undefined;
  /** Certificates to trust (PEM). Default: those that Node trusts. */
  readonly ca?: string | undefined;
}

/**
 * Opens a connection to a host, through the proxy if there is one. The recorder also passes on connections that it does not read,
 * and the proxy agents of libraries are for requests.
 */
export function connectTo({ proxy }: Upstream, host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (proxy === undefined) {
      const socket = connect(port, host, () => {
        resolve(socket);
      });
      socket.once('error', reject);
      return;
    }
    const { hostname, port: proxyPort, username, password } = new URL(proxy);
    const signIn = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
    const connectRequest = httpRequest({
      ...{ host: hostname, port: proxyPort || 80, method: 'CONNECT', path: `${host}:${port}`, agent: false },
      headers: username === '' ? {} : { 'proxy-authorization': `Basic ${signIn.toString('base64')}` },
    });
    connectRequest.once('connect', ({ statusCode }, socket: Socket) => {
      if (statusCode === 200) {
        resolve(socket);
        return;
      }
      socket.destroy();
      reject(new Error(`the proxy answered ${String(statusCode)} to a tunnel to ${host}`));
    });
    connectRequest.once('error', reject);
    connectRequest.end();
  });
}
