import { request as send } from 'node:http';
import type { CloudReply, CloudRequest } from '../server/exchange';

/** Headers that are only for the proxy. */
const HOP = new Set(['proxy-authorization', 'proxy-connection', 'connection', 'keep-alive']);

/**
 * Passes a pod's request to aad-pod-identity's node component, as a node's packet filter would: unchanged, with the pod as the
 * sender. Processes have only loopback addresses, so the pod's address 10.x.y.z becomes 127.x.y.z. The component's `main`
 * reverses that.
 */
export function asPod(
  podAddress: string,
  port: number,
  { method, target, headers }: CloudRequest,
): Promise<CloudReply> {
  const kept = Object.entries(headers).filter(([name, value]) => value !== undefined && !HOP.has(name));
  return new Promise((resolve, reject) => {
    const request = send(
      {
        ...{ host: '127.0.0.1', port, method, path: target, agent: false },
        localAddress: podAddress.replace(/^\d+/, '127'),
        headers: Object.fromEntries(kept),
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('error', reject);
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const type = response.headers['content-type'] ?? 'text/plain; charset=utf-8';
          resolve({ status: response.statusCode ?? 502, content: { type, bytes: Buffer.concat(chunks) } });
        });
      },
    );
    request.on('error', reject);
    request.end();
  });
}
