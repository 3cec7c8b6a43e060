import type { ClusterState } from './clusterState';
import type { LogLine } from './logLine';
import { mostNamed, OpenParts, type TakenPart } from './openParts';

// Log lines of aad-pod-identity 1.8.17: pkg/nmi/server/server.go, pkg/nmi/standard.go, pkg/utils/utils.go.

/** An answered token request. Pods and identities are `<namespace>/<name>`. */
export interface TokenRequest {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** HTTP status of the answer. 200 means a token was issued. */
  readonly status: number;
  /** Several if the log does not tell which; none if unknown or too many are possible. */
  readonly pods: readonly string[];
  /** Several if the log does not tell which; none if it was refused before the match, or too many are possible. */
  readonly identities: readonly string[];
  /** Resources that the token is for. Several if the log does not tell which; none if unknown. */
  readonly resources: readonly string[];
  /** Reason of a refusal, if logged. */
  readonly reason?: string;
}

/** The state of the cluster while its log is read. */
export type Known = Pick<ClusterState, 'podsAt' | 'hasAddress' | 'identitiesOf' | 'clientIdOf'>;

/** The longest duration of a request in milliseconds: it waits up to 100 seconds for its identity, and for Azure. */
export const longestRequest = 5 * 60_000;

const matched =
  /^(?:no clientID or resourceID in request\.|clientID in request: .*,) (\S+\/\S+) has been matched with azure identity (\S+\/\S+)$/;
const token = /^matched identityType:\S+ .*?clientid:(.*?) resource:(.*)$/;
const unmatched = /^failed to get matching identities for pod: (\S+), error: (.*)$/;
const refused = /^failed to get service principal token for pod: (\S+), error: (.*)$/;
const excepted = /^exception pod (\S+) token handling$/;
/** A probe for the metadata service, which libraries send first. It is not a token request. */
const probed = /^metadata header is not specified, .* req\.remote=(\S*)$/;
const finished =
  /^status \((\d{3})\) took \d+ ns for req\.method=\S+ reg\.path=\/metadata\/identity\/oauth2\/token.* req\.remote=(\S*)$/i;

/** Redacts a client id as the node component does in its log. */
export const redacted = (clientId: string): string =>
  clientId.replace(/^(\S{4})[\s\S]*(\S{4})$/, '$1##### REDACTED #####$2');

/**
 * Returns the token requests in the lines. Requests of excepted pods are left out: they get tokens for their node's identity,
 * not for their own.
 */
export function tokenRequests(lines: readonly LogLine[], known: Known): TokenRequest[] {
  const reading = new Reading(known);
  return lines.flatMap((line) => reading.next(line) ?? []);
}

class Reading {
  /** Identities by the pods that they were matched to. */
  private readonly matches = new OpenParts();
  /** Resources by client id of the identity. */
  private readonly tokens = new OpenParts();
  /** Reasons by pod where no identity was found. */
  private readonly unmatched = new OpenParts();
  /** Reasons by pod where an identity was found, but Azure issued no token. */
  private readonly refused = new OpenParts();
  private readonly excepted = new OpenParts();
  /** Probes by address of the sender. */
  private readonly probed = new OpenParts();

  constructor(private readonly known: Known) {}

  next({ time, text }: LogLine): TokenRequest | undefined {
    const lines: [RegExp, OpenParts][] = [
      [matched, this.matches],
      [token, this.tokens],
      [unmatched, this.unmatched],
      [refused, this.refused],
      [excepted, this.excepted],
      [probed, this.probed],
    ];
    for (const [line, parts] of lines) {
      const [match, key = '', value = ''] = line.exec(text) ?? [];
      if (match === undefined) continue;
      parts.add(key, value, time);
      return undefined;
    }
    const [, status, address = ''] = finished.exec(text) ?? [];
    if (status === undefined) return undefined;
    for (const [, parts] of lines) parts.forgetBefore(time - longestRequest);
    if (status === '400' && this.probed.take(new Set([address])) !== undefined) return undefined;
    return this.finish(Number(status), address, time);
  }

  private finish(status: number, address: string, time: number): TokenRequest | undefined {
    const isIssued = status < 400;
    const pods = new Set(this.sendersOf(this.known.podsAt(address, time), isIssued));
    if (this.excepted.take(pods) !== undefined) return undefined;
    // 404 means that no identity was found. 503 means that Azure failed or, with a setting of the component, also the former.
    const azureFailure = status === 404 || isIssued ? undefined : this.refused.take(pods);
    const failure = azureFailure ?? (isIssued ? undefined : this.unmatched.take(pods));
    const request = {
      time,
      status,
      ...(failure && { reason: named(failure.values, 'several reasons').join(' or ') }),
    };
    if (!isIssued && azureFailure === undefined)
      return { ...request, pods: podsOf(failure, pods), identities: [], resources: [] };
    const match = this.matches.take(pods);
    const matching = named(match?.values ?? []);
    const identities = matching.length > 0 ? matching : this.identitiesOf(pods);
    const clients = new Map(
      identities.map((identity) => [redacted(this.known.clientIdOf(identity) ?? ''), identity] as const),
    );
    const requested = this.tokens.take(new Set(clients.keys()));
    return {
      ...{
        ...request,
        pods: podsOf(match, pods),
        resources: named(requested?.values ?? [], 'several resources'),
      },
      // For a request by resource id, the log has only the client id.
      identities:
        matching.length > 0
          ? matching
          : named([...(requested?.keys ?? [])].flatMap((clientId) => clients.get(clientId) ?? [])),
    };
  }

  /**
   * The pods that may have sent the request. If none of those with its address has an open request, the sender is a pod without a
   * known address: one that is gone, or that has not been listed yet.
   */
  private sendersOf(podsAtAddress: readonly string[], isIssued: boolean): readonly string[] {
    const kinds = isIssued ? [this.matches] : [this.unmatched, this.refused];
    const open = [this.excepted, ...kinds];
    if (podsAtAddress.some((pod) => open.some((parts) => parts.has(pod)))) return podsAtAddress;
    const others = new Set(open.flatMap(({ keys }) => keys).filter((pod) => !this.known.hasAddress(pod)));
    return others.size > 0 ? named([...others]) : podsAtAddress;
  }

  private identitiesOf(pods: ReadonlySet<string>): string[] {
    return [...new Set([...pods].flatMap((pod) => this.known.identitiesOf(pod)))];
  }
}

/** Narrows the pods down to those of the line, if there is one. */
function podsOf(part: TakenPart | undefined, pods: ReadonlySet<string>): string[] {
  return named(part === undefined ? [...pods] : [...pods].filter((pod) => part.keys.has(pod)));
}

/** Returns the candidates, or the placeholder if there are too many. */
function named(candidates: readonly string[], ...placeholder: readonly string[]): string[] {
  return [...(candidates.length > mostNamed ? placeholder : candidates)];
}
