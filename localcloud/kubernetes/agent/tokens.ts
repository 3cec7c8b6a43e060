import type { ApiClient } from '../api/client';
import { isStatus } from '../api/client';
import type { Pod } from '../api/types';
import type { Logger } from '../../logger';
import { reason } from '../../logger';

export interface TokenOptions {
  /** Requested audience. @default the API server's own */
  audience?: string;
  /** Requested lifetime in seconds; the API server's minimum is 600. @default 3600 */
  expirationSeconds?: number;
}

export interface IssuedToken {
  token: string;
  /** Time in RFC 3339. */
  expirationTimestamp: string;
}

interface TokenResponse {
  status: IssuedToken;
}

/** Milliseconds between a failed renewal and the next attempt. */
const retryMs = 5000;

/**
 * Service account tokens of one pod, bound to it. Each is renewed when the fraction `renewAt` of its lifetime has passed
 * (a kubelet renews at 80 %, or after 24 hours).
 */
export class PodTokens {
  private readonly current = new Map<string, IssuedToken>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private closed = false;

  constructor(
    private readonly pod: Pod,
    private readonly client: ApiClient,
    private readonly logger: Logger,
    private readonly renewAt: number,
    private readonly onRenewed: () => void,
  ) {}

  async token(options: TokenOptions): Promise<string> {
    return (await this.issued(options)).token;
  }

  /** Returns what {@link token} returns, with the time of expiry. */
  async issued(options: TokenOptions): Promise<IssuedToken> {
    return this.current.get(JSON.stringify(options)) ?? (await this.issue(options));
  }

  close(): void {
    this.closed = true;
    for (const timer of this.timers) clearTimeout(timer);
  }

  private async issue(options: TokenOptions): Promise<IssuedToken> {
    const { name, namespace, uid } = this.pod.metadata;
    const account = this.pod.spec.serviceAccountName ?? 'default';
    const issuedAt = Date.now();
    const { status } = await this.client.create<TokenResponse>(
      `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`,
      {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: {
          audiences: options.audience ? [options.audience] : undefined,
          expirationSeconds: options.expirationSeconds ?? 3600,
          boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, uid },
        },
      },
    );
    const { token, expirationTimestamp } = status;
    this.current.set(JSON.stringify(options), { token, expirationTimestamp });
    const life = new Date(status.expirationTimestamp).getTime() - issuedAt;
    this.renewIn(Math.min(life * this.renewAt, 24 * 3600 * 1000), options);
    return { token, expirationTimestamp };
  }

  private renewIn(ms: number, options: TokenOptions): void {
    if (this.closed) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.issue(options).then(this.onRenewed, (error: unknown) => {
        // The pod or its service account was deleted, so no renewal is needed.
        if (isStatus(error, 404, 409)) return;
        this.logger.warn(`a token of pod ${this.pod.metadata.name} was not renewed: ${reason(error)}`);
        this.renewIn(retryMs, options);
      });
    }, ms);
    timer.unref();
    this.timers.add(timer);
  }
}
