import { createHash } from 'node:crypto';
import { createServer } from 'node:https';
import { createSecureContext } from 'node:tls';
import type { CloudReply, CloudRequest } from '../azure/server/exchange';
import { serving } from '../azure/server/httpServer';
import { listen, stop } from '../azure/server/ports';
import type { Logger } from '../logger';
import { reason } from '../logger';
import type { KeyPair } from './controlplane/certificates';

/**
 * Name by which TLS tells the token proxy of a cluster from its API server. Source:
 * Azure/secrets-store-csi-driver-provider-azure `internal/identitybinding/identitybinding.go` (base32hex without padding).
 */
export function tokenProxyName(clusterId: string): string {
  const digest = createHash('sha256').update(`identity-binding${clusterId}`).digest('hex');
  // 256 bits and 4 zeros are 52 digits of 5 bits.
  const digits = (BigInt(`0x${digest}`) << 4n).toString(32).padStart(52, '0');
  return `a${digits}.ests.aks`;
}

export interface TokenProxyOptions {
  /** Port on 127.0.0.1. */
  port: number;
  name: string;
  /** Serving certificate for the name. */
  certificate: KeyPair;
  answer: (request: CloudRequest) => Promise<CloudReply>;
  logger: Logger;
}

/**
 * Starts the endpoint from which pods get tokens of the identities that are bound to the cluster. Like the API server of AKS,
 * it answers only clients that name it in the TLS handshake.
 *
 * @returns a function that stops it
 */
export async function startTokenProxy(options: TokenProxyOptions): Promise<() => Promise<void>> {
  const { port, name, certificate, answer, logger } = options;
  const context = createSecureContext({ ...certificate, minVersion: 'TLSv1.2' });
  const failed = (status: number, error: string, error_description: string): CloudReply => ({
    status,
    body: { error, error_description },
  });
  const server = createServer(
    {
      SNICallback: (asked, done) => {
        if (asked === name) done(null, context);
        else done(new Error(`'${asked}' is not served here`));
      },
    },
    serving(async (request, refusal) => {
      if (refusal !== undefined) return failed(refusal.status, 'invalid_request', refusal.message);
      try {
        return await answer(request);
      } catch (error) {
        logger.error(`token proxy: ${request.method} ${request.target}: ${reason(error)}`);
        return failed(500, 'server_error', "The token proxy failed. The local cloud's log says why.");
      }
    }),
  );
  await listen(server, port);
  return () => stop(server);
}
