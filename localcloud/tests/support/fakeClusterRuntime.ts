import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { CryptoKey } from 'jose';
import type { ClusterRuntime, ClusterSpec } from '../../azure/clusterRuntime';

interface Issuer {
  spec: ClusterSpec;
  key: CryptoKey;
  keyId: string;
  jwk: Record<string, unknown>;
}

export interface TokenRequest {
  issuer: string;
  subject: string;
  /** @default api://AzureADTokenExchange */
  audience?: string | string[];
  /** Seconds since the epoch. @default now */
  issuedAt?: number;
  /** Seconds. @default 3600 */
  lifetime?: number;
  /** Key id in the header, instead of the signing key's; `null` for none. */
  keyId?: string | null;
}

/**
 * Replaces control planes where they are not tested. It has no process, but a real issuer for each cluster,
 * with an RSA key that signs service account tokens.
 */
export class FakeClusterRuntime implements ClusterRuntime {
  readonly ensured: ClusterSpec[] = [];
  readonly removed: string[] = [];
  readonly stopped: string[] = [];
  readonly rotated: string[] = [];
  /** Documents that were fetched, to test caching. */
  readonly fetched: string[] = [];
  /** Error with which `ensure` rejects, if set. */
  failure: string | Error | undefined;
  /** `ensure` waits for this promise. */
  gate: Promise<void> = Promise.resolve();
  /** `remove` waits for this promise. */
  removal: Promise<void> = Promise.resolve();
  /** Pods of every cluster that are not ready again. */
  unready: string[] = [];
  private readonly issuers = new Map<string, Issuer>();

  async ensure(spec: ClusterSpec): Promise<void> {
    this.ensured.push(spec);
    await this.gate;
    if (this.failure !== undefined)
      throw typeof this.failure === 'string' ? new Error(this.failure) : this.failure;
    if (!this.issuers.has(spec.id)) await this.renewKey(spec);
  }

  stop(id: string): Promise<void> {
    this.stopped.push(id);
    return this.gate;
  }

  rotateCertificates(id: string): Promise<void> {
    this.rotated.push(id);
    return Promise.resolve();
  }

  remove(id: string): Promise<void> {
    this.removed.push(id);
    this.issuers.delete(id);
    return this.removal;
  }

  unreadyPods(): string[] {
    return this.unready;
  }

  kubeconfig({ id }: Pick<ClusterSpec, 'id' | 'name'>, role: 'admin' | 'user'): Promise<string> {
    return Promise.resolve(`# ${role}\ncurrent-context: ${this.issuers.get(id)?.spec.name ?? ''}\n`);
  }

  issuerDocument(id: string, document: 'discovery' | 'keys'): Promise<unknown> {
    const issuer = this.issuers.get(id);
    if (issuer === undefined) return Promise.reject(new Error(`no cluster ${id}`));
    this.fetched.push(document);
    if (document === 'keys') return Promise.resolve({ keys: [issuer.jwk] });
    return Promise.resolve({
      issuer: issuer.spec.issuer,
      jwks_uri: `${issuer.spec.issuer}openid/v1/jwks`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    });
  }

  /** Replaces the cluster's signing key, like a rotation. */
  async renewKey(spec: ClusterSpec): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair('RS256');
    const keyId = `key-${this.issuers.size}-${Math.random().toString(36).slice(2)}`;
    const jwk = { ...(await exportJWK(publicKey)), kid: keyId, use: 'sig', alg: 'RS256' };
    this.issuers.set(spec.id, { spec, key: privateKey, keyId, jwk });
  }

  /** A service account token, as the cluster's API server would sign it. */
  token(request: TokenRequest): Promise<string> {
    const issuer = [...this.issuers.values()].find((each) => each.spec.issuer === request.issuer);
    if (issuer === undefined) throw new Error(`no cluster has issuer ${request.issuer}`);
    return this.signWith(issuer, request);
  }

  /** A token with one cluster's issuer, signed by another's key. */
  forgedToken(request: TokenRequest, signer: string): Promise<string> {
    const issuer = [...this.issuers.values()].find((each) => each.spec.issuer === signer);
    const named = [...this.issuers.values()].find((each) => each.spec.issuer === request.issuer);
    if (issuer === undefined || named === undefined) throw new Error('no such cluster');
    return this.signWith({ ...issuer, keyId: named.keyId }, request);
  }

  private signWith(issuer: Issuer, request: TokenRequest): Promise<string> {
    const issuedAt = request.issuedAt ?? Math.floor(Date.now() / 1000);
    const kid = request.keyId === undefined ? issuer.keyId : request.keyId;
    return new SignJWT({})
      .setProtectedHeader({ alg: 'RS256', ...(kid === null ? {} : { kid }) })
      .setIssuer(request.issuer)
      .setSubject(request.subject)
      .setAudience(request.audience ?? ['api://AzureADTokenExchange'])
      .setIssuedAt(issuedAt)
      .setNotBefore(issuedAt)
      .setExpirationTime(issuedAt + (request.lifetime ?? 3600))
      .sign(issuer.key);
  }
}
