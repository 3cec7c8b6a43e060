import { secretsIn } from '../../stacks/offline';
import type { DeployedOutputs } from '../stackOutputs';
import type { SecretRequests } from './requests';

/** A grant of the stack that nobody used. */
export interface UnusedGrant {
  readonly cluster: string;
  /** Name of the identity in Azure. */
  readonly identity: string;
  /** Its object id. */
  readonly objectId: string;
  /** The applications that name the secret and run as the identity. */
  readonly applications: readonly string[];
  readonly vault: string;
  readonly secret: string;
  /** Name of the group that it was granted to; undefined: to the identity. */
  readonly group?: string | undefined;
  /** The last read that the log has; undefined if it has none. */
  readonly lastRead: Date | undefined;
}

const day = 24 * 60 * 60 * 1000;
const keyOf = (...parts: string[]): string => parts.join('/').toLowerCase();

/**
 * The grants in the outputs that were last read before `since`. The verification reads as the applications do and does not
 * count. Of a vault without any request in the log, nothing is known.
 */
export function unusedGrants(
  workloads: DeployedOutputs['workloads'],
  requests: readonly SecretRequests[],
  since: Date,
): UnusedGrant[] {
  const lastReads = new Map<string, Date>();
  for (const { operation, status, byVerification, objectId, vault, secret = '', last } of requests) {
    if (operation !== 'SecretGet' || status !== 200 || byVerification) continue;
    const key = keyOf(objectId, vault, secret);
    const before = lastReads.get(key);
    if (before === undefined || before < last) lastReads.set(key, last);
  }
  const logged = new Set(requests.map(({ vault }) => keyOf(vault)));
  const grants = new Map<string, UnusedGrant>();
  for (const { cluster, application, identity, identitiesBeside, grants: own } of workloads) {
    for (const { vault, secret, group } of secretsIn(own)) {
      // What was granted to a group is used if one member uses it.
      const readers =
        group === undefined
          ? [identity, ...identitiesBeside]
          : workloads
              .filter(({ grants: all }) =>
                secretsIn(all).some(
                  (one) => one.group === group && one.vault === vault && one.secret === secret,
                ),
              )
              .flatMap((one) => [one.identity, ...one.identitiesBeside]);
      const reads = readers.flatMap((one) => lastReads.get(keyOf(one.principalId, vault, secret)) ?? []);
      const lastRead = reads.sort((one, other) => other.getTime() - one.getTime())[0];
      const key = keyOf(group === undefined ? identity.principalId : `group ${group}`, vault, secret);
      if (!logged.has(keyOf(vault)) || (lastRead !== undefined && lastRead >= since)) continue;
      const applications = [...(grants.get(key)?.applications ?? []), application];
      const { name, principalId: objectId } = identity;
      grants.set(key, { cluster, identity: name, objectId, applications, vault, secret, group, lastRead });
    }
  }
  return [...grants.values()];
}

/** How far the log reaches back, if that is not as far as it was asked for. */
export function coverageNotes(
  vaults: readonly string[],
  requests: readonly SecretRequests[],
  { since, now, retentionInDays }: { since: Date; now: Date; retentionInDays: number },
): string[] {
  const days = Math.round((now.getTime() - since.getTime()) / day);
  const begins = vaults.map((vault) => {
    const here = requests.filter((one) => keyOf(one.vault) === keyOf(vault));
    return { vault, first: here.map(({ first }) => first).sort((a, b) => a.getTime() - b.getTime())[0] };
  });
  return [
    ...(retentionInDays < days
      ? [`The workspace keeps logs for ${retentionInDays} days: what was before is not known.`]
      : []),
    ...begins.flatMap(({ vault, first }) => {
      if (first === undefined) {
        return [
          `The log has no request to vault ${vault}: of the grants in it nothing can be said. It may be new, or send its log elsewhere.`,
        ];
      }
      return first > since
        ? [`The log of vault ${vault} begins on ${first.toISOString()}: a grant may have been used before.`]
        : [];
    }),
  ];
}
