import type { IncomingMessage, ServerResponse } from 'node:http';
import https from 'node:https';
import type { TLSSocket } from 'node:tls';
import { stop } from '../../azure/server/ports';
import type { KeyPair } from '../controlplane/certificates';
import type { Logger } from '../../logger';
import { reason } from '../../logger';
import { handle } from './handle';
import type { FindPod } from './pods';
import { Refusal } from './refusal';

export interface KubeletServerOptions {
  /** Port on 127.0.0.1. */
  port: number;
  /** Serving certificate. */
  certificate: KeyPair;
  /** Certificate of the cluster's authority (PEM text). */
  caCertificate: string;
  /**
   * Common name of the only allowed client. A certificate of the authority alone is not enough, because every
   * user of the cluster has one.
   */
  clientName: string;
  findPod: FindPod;
  logger: Logger;
}

/**
 * Starts the node's endpoint, from which the API server requests logs.
 *
 * @returns a function that stops it
 */
export async function startKubeletServer(options: KubeletServerOptions): Promise<() => Promise<void>> {
  const { port, certificate, caCertificate, clientName, findPod, logger } = options;
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    try {
      const { subject } = (request.socket as TLSSocket).getPeerCertificate();
      if (subject.CN !== clientName) throw new Refusal('only the API server may connect', 403);
      await handle(request, response, findPod);
    } catch (error) {
      if (!(error instanceof Refusal)) logger.warn(`node endpoint: ${request.url ?? ''}: ${reason(error)}`);
      if (response.headersSent) response.destroy();
      else refuse(request, response, error instanceof Refusal ? error.status : 500, reason(error));
    }
  };
  const server = https.createServer(
    {
      cert: certificate.cert,
      key: certificate.key,
      ca: caCertificate,
      requestCert: true,
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
    },
    (request, response) => void answer(request, response),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return () => stop(server);
}

/** Answers with an error. For logs, the API server expects plain text; for an upgrade (exec), clients expect a Status. */
function refuse(request: IncomingMessage, response: ServerResponse, code: number, message: string): void {
  const isUpgrade = request.headers.upgrade !== undefined;
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'BadRequest', message, code };
  const body = isUpgrade ? JSON.stringify(status) : message;
  response.writeHead(code, {
    'content-type': isUpgrade ? 'application/json' : 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  });
  response.end(body);
}
