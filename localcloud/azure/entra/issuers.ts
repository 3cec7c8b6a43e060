import { request } from 'node:https';
import { rootCertificates } from 'node:tls';
import * as z from 'zod';
import type { Clock } from '../clock';
import { destinationOf, isLoopback } from '../server/hosts';
import { EntraError } from './errors';
import { reason } from '../../logger';

const FETCH_TIMEOUT = 10_000;
const LARGEST_DOCUMENT = 256 * 1024;
/** Milliseconds that keys are cached. An unknown key id causes another fetch at once. */
const KEEP = 60 * 60 * 1000;

const discoverySchema = z.looseObject({ issuer: z.string(), jwks_uri: z.url() });
const keysSchema = z.looseObject({
  keys: z.array(z.looseObject({ kty: z.string(), kid: z.string().optional() })),
});

/** A public key of an issuer, as in its JSON Web Key Set. */
export type PublicJwk = z.infer<typeof keysSchema>['keys'][number];

export interface IssuerAccess {
  /** Port of the server that answers for the issuers' hosts. */
  port: () => number;
  ca: string;
}

const unreachable = (url: string, reason: string): EntraError =>
  new EntraError(
    90061,
    'invalid_request',
    400,
    `Request to External OIDC endpoint failed: ${url}: ${reason}.`,
  );

/** Fetches discovery documents and keys of issuers over verified TLS. */
export class Issuers {
  private readonly known = new Map<string, { keys: PublicJwk[]; fetchedAt: number }>();

  constructor(
    private readonly access: IssuerAccess,
    private readonly clock: Clock,
  ) {}

  /** Returns the issuer's key with that id; undefined if it has none. Fetches the keys again if the id is unknown. */
  async key(issuer: string, keyId: string): Promise<PublicJwk | undefined> {
    const current = this.known.get(issuer);
    const fresh =
      current !== undefined && this.clock.now() - current.fetchedAt < KEEP ? current.keys : undefined;
    const pick = (keys: PublicJwk[]): PublicJwk | undefined => keys.find((key) => key.kid === keyId);
    const cached = fresh === undefined ? undefined : pick(fresh);
    if (cached !== undefined) return cached;
    const keys = await this.fetchKeys(issuer);
    this.known.set(issuer, { keys, fetchedAt: this.clock.now() });
    return pick(keys);
  }

  private async fetchKeys(issuer: string): Promise<PublicJwk[]> {
    const discoveryUrl = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const discovery = discoverySchema.safeParse(await this.fetchJson(discoveryUrl));
    if (!discovery.success) throw unreachable(discoveryUrl, 'it is not a discovery document');
    if (discovery.data.issuer !== issuer) {
      throw unreachable(discoveryUrl, `it is of issuer '${discovery.data.issuer}', not '${issuer}'`);
    }
    const keys = keysSchema.safeParse(await this.fetchJson(discovery.data.jwks_uri));
    if (!keys.success) throw unreachable(discovery.data.jwks_uri, 'it is not a key set');
    return keys.data.keys;
  }

  private async fetchJson(address: string): Promise<unknown> {
    const url = new URL(address);
    const served = destinationOf(url.hostname)?.service === 'issuer';
    if (!served && !isLoopback(url.hostname)) {
      throw unreachable(address, 'the local cloud reaches nothing outside this machine');
    }
    const text = await new Promise<string>((resolve, reject) => {
      const outgoing = request(
        {
          host: served ? '127.0.0.1' : url.hostname,
          port: served ? this.access.port() : url.port || 443,
          servername: url.hostname,
          path: `${url.pathname}${url.search}`,
          headers: { host: url.host, accept: 'application/json' },
          ca: [this.access.ca, ...rootCertificates],
          timeout: FETCH_TIMEOUT,
          agent: false,
        },
        (response) => {
          const chunks: Buffer[] = [];
          let size = 0;
          response.on('data', (chunk: Buffer) => {
            size += chunk.length;
            if (size > LARGEST_DOCUMENT) response.destroy(new Error('the document is too large'));
            chunks.push(chunk);
          });
          response.on('error', reject);
          response.on('end', () => {
            if (response.statusCode === 200) resolve(Buffer.concat(chunks).toString('utf8'));
            else reject(new Error(`HTTP ${response.statusCode ?? 0}`));
          });
        },
      );
      outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer in ${FETCH_TIMEOUT / 1000} s`)));
      outgoing.on('error', reject);
      outgoing.end();
    }).catch((error: unknown) => {
      throw unreachable(address, reason(error));
    });
    try {
      return JSON.parse(text) as unknown;
    } catch {
      throw unreachable(address, 'it is not JSON');
    }
  }
}
