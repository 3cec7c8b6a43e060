import type { LogLine } from './logLine';
import { mostNamed, OpenParts, type TakenPart } from './openParts';

// The lines are those of aad-pod-identity 1.8.17: pkg/nmi/server/server.go, pkg/nmi/standard.go, pkg/utils/utils.go.

/** A request for a token that has been answered. Pods and identities are `<namespace>/<name>`. */
export interface TokenRequest {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Status of the answer: 200 has a token. */
  readonly status: number;
  /** More than one: the log does not tell which. None: it is not known, or too many can be it. */
  readonly pods: readonly string[];
  /** More than one: the log does not tell which. None: it was refused before one was found, or too many can be it. */
  readonly identities: readonly string[];
  /** What the token is for; more than one: the log does not tell which. None: it is not known. */
  readonly resources: readonly string[];
  /** Why it was refused, if the log has it. */
  readonly reason?: string;
}

/** What is known of the cluster when its log is read. */
export interface Known {
  /** The pods with the address at the time. */
  podsAt(address: string, time: number): readonly string[];
  /** The address of the pod is known. */
  hasAddress(pod: string): boolean;
  /** The identities that are assigned to the pod. */
  identitiesOf(pod: string): readonly string[];
  /** The client id of the identity; undefined if there is no such one. */
  clientIdOf(identity: string): string | undefined;
}

/** By then a request has been answered: it waits up to 100 seconds for its identity, and for Azure. */
export const longestRequest = 5 * 60_000;

const matched =
  /^(?:no clientID or resourceID in request\.|clientID in request: .*,) (\S+\/\S+) has been matched with azure identity (\S+\/\S+)$/;
const token = /^matched identityType:\S+ .*?clientid:(.*?) resource:(.*)$/;
const unmatched = /^failed to get matching identities for pod: (\S+), error: (.*)$/;
const refused = /^failed to get service principal token for pod: (\S+), error: (.*)$/;
const excepted = /^exception pod (\S+) token handling$/;
/** A request that asks only whether there is such a service, as libraries do first: none for a token. */
const probed = /^metadata header is not specified, .* req\.remote=(\S*)$/;
const finished =
  /^status \((\d{3})\) took \d+ ns for req\.method=\S+ reg\.path=\/metadata\/identity\/oauth2\/token.* req\.remote=(\S*)$/i;

/** A client id as the node component logs it. */
export const redacted = (clientId: string): string =>
  clientId.replace(/^(\S{4})[\s\S]*(\S{4})$/, '$1##### REDACTED #####$2');

/**
 * The requests for tokens of pods that the lines tell of. Pods that are excepted get tokens of their node, and no identity of
 * theirs: they are left out.
 */
export function tokenRequests(lines: readonly LogLine[], known: Known): TokenRequest[] {
  const reading = new Reading(known);
  return lines.flatMap((line) => reading.next(line) ?? []);
}

class Reading {
  /** Identities by the pods that they were found for. */
  private readonly matches = new OpenParts();
  /** Resources by the client ids of the identities. */
  private readonly tokens = new OpenParts();
  /** Reasons by pods: no identity was found. */
  private readonly unmatched = new OpenParts();
  /** Reasons by pods: an identity was found, and Azure gave no token. */
  private readonly refused = new OpenParts();
  private readonly excepted = new OpenParts();
  /** By the address of the sender. */
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
      const [found, key = '', value = ''] = line.exec(text) ?? [];
      if (found === undefined) continue;
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
    // 404 is for an identity that was not found; only with a setting of the component, it is 503, as for Azure's failures.
    const ofAzure = status === 404 || isIssued ? undefined : this.refused.take(pods);
    const failure = ofAzure ?? (isIssued ? undefined : this.unmatched.take(pods));
    const request = {
      time,
      status,
      ...(failure && { reason: named(failure.values, 'several reasons').join(' or ') }),
    };
    if (!isIssued && ofAzure === undefined)
      return { ...request, pods: podsOf(failure, pods), identities: [], resources: [] };
    const match = this.matches.take(pods);
    const matching = named(match?.values ?? []);
    const identities = matching.length > 0 ? matching : this.identitiesOf(pods);
    const clients = new Map(
      identities.map((one) => [redacted(this.known.clientIdOf(one) ?? ''), one] as const),
    );
    const found = this.tokens.take(new Set(clients.keys()));
    return {
      ...{
        ...request,
        pods: podsOf(match, pods),
        resources: named(found?.values ?? [], 'several resources'),
      },
      // Of a request by resource id, the log has the client id only.
      identities:
        matching.length > 0
          ? matching
          : named([...(found?.keys ?? [])].flatMap((one) => clients.get(one) ?? [])),
    };
  }

  /**
   * The pods that the request can be of. Where none with its address has an open one, it is another that has the address too:
   * one that is gone, or that is not in the lists.
   */
  private sendersOf(here: readonly string[], isIssued: boolean): readonly string[] {
    const kinds = isIssued ? [this.matches] : [this.unmatched, this.refused];
    const open = [this.excepted, ...kinds];
    if (here.some((pod) => open.some((parts) => parts.has(pod)))) return here;
    const others = new Set(open.flatMap(({ keys }) => keys).filter((pod) => !this.known.hasAddress(pod)));
    return others.size > 0 ? named([...others]) : here;
  }

  private identitiesOf(pods: ReadonlySet<string>): string[] {
    return [...new Set([...pods].flatMap((one) => this.known.identitiesOf(one)))];
  }
}

/** The pods of the line, if it narrows them down. */
function podsOf(part: TakenPart | undefined, pods: ReadonlySet<string>): string[] {
  return named(part === undefined ? [...pods] : [...pods].filter((one) => part.keys.has(one)));
}

/** The candidates, or what stands for them where they are too many. */
function named(all: readonly string[], ...several: readonly string[]): string[] {
  return [...(all.length > mostNamed ? several : all)];
}
