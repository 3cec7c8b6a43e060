import { createSign, generateKeyPairSync, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * An issuer of tokens for pipelines, like those of GitHub Actions and Azure DevOps. Entra fetches its documents, and a job
 * requests a token from it. It presents the local cloud's certificate, whose certificate authority Entra trusts.
 */
export class TokenIssuer {
  /** The bearer token with which a job requests its token. */
  readonly requestToken = randomUUID();
  private readonly keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  private readonly keyId = randomUUID();
  private server: https.Server | undefined;
  /** Subject of the tokens that jobs get. */
  subject = '';

  /** Starts the issuer. @param folder the local cloud's folder, which contains its certificate */
  async start(folder: string): Promise<void> {
    const file = (name: string) => readFileSync(path.join(folder, 'tls', name));
    const server = https.createServer(
      { cert: file('server.crt'), key: file('server.key') },
      (request, response) => {
        const { status, body } = this.answer(request.url ?? '', request.headers.authorization);
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      },
    );
    this.server = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => (this.server === undefined ? resolve(0) : this.server.close(resolve)));
  }

  get url(): string {
    return `https://127.0.0.1:${(this.server?.address() as AddressInfo).port}`;
  }

  /** The variables that GitHub Actions sets for a job with the permission `id-token: write`. */
  get gitHubVariables(): Record<string, string> {
    return {
      ACTIONS_ID_TOKEN_REQUEST_URL: `${this.url}/token?api-version=2.0`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: this.requestToken,
    };
  }

  token(subject: string, audience = 'api://AzureADTokenExchange'): string {
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: this.url, sub: subject, aud: audience, iat: now, nbf: now - 60, exp: now + 600 };
    const header = { alg: 'RS256', typ: 'JWT', kid: this.keyId };
    const signed = `${encoded(header)}.${encoded(claims)}`;
    const signature = createSign('RSA-SHA256').update(signed).sign(this.keys.privateKey, 'base64url');
    return `${signed}.${signature}`;
  }

  private answer(requested: string, authorization: string | undefined): { status: number; body: object } {
    const { pathname, searchParams } = new URL(requested, this.url);
    if (pathname === '/.well-known/openid-configuration')
      return { status: 200, body: { issuer: this.url, jwks_uri: `${this.url}/keys` } };
    if (pathname === '/keys') {
      const key = {
        ...this.keys.publicKey.export({ format: 'jwk' }),
        kid: this.keyId,
        use: 'sig',
        alg: 'RS256',
      };
      return { status: 200, body: { keys: [key] } };
    }
    if (pathname === '/token' && authorization === `Bearer ${this.requestToken}`)
      return { status: 200, body: { value: this.token(this.subject, searchParams.get('audience') ?? '') } };
    return { status: 404, body: {} };
  }
}
