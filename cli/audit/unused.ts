import { secretsIn } from '../../stacks/plan/granted';
import type { DeployedOutputs } from '../stackOutputs';
import type { SecretRequests } from './requests';

/** An unused grant of the stack. */
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
  /** Name of the group that holds the grant; undefined for a grant of the identity. */
  readonly group?: string | undefined;
  /** The last read in the log, if any. */
  readonly lastRead: Date | undefined;
}

const day = 24 * 60 * 60 * 1000;
const keyOf = (...parts: string[]): string => parts.join('/').toLowerCase();

/**
 * Returns the grants in the outputs that were last read before `since`. Reads of the verification do not count. Vaults without any
 * request in the log are left out.
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
    const known = lastReads.get(key);
    if (known === undefined || known < last) lastReads.set(key, last);
  }
  const logged = new Set(requests.map(({ vault }) => keyOf(vault)));
  const grants = new Map<string, UnusedGrant>();
  for (const { cluster, application, identity, identitiesBeside, grants: own } of workloads) {
    for (const { vault, secret, group } of secretsIn(own)) {
      // A grant of a group is used if any member uses it.
      const readers =
        group === undefined
          ? [identity, ...identitiesBeside]
          : workloads
              .filter((workload) =>
                secretsIn(workload.grants).some(
                  (grant) => grant.group === group && grant.vault === vault && grant.secret === secret,
                ),
              )
              .flatMap((workload) => [workload.identity, ...workload.identitiesBeside]);
      const reads = readers.flatMap(
        ({ principalId }) => lastReads.get(keyOf(principalId, vault, secret)) ?? [],
      );
      const lastRead = reads.sort((a, b) => b.getTime() - a.getTime())[0];
      const key = keyOf(group === undefined ? identity.principalId : `group ${group}`, vault, secret);
      if (!logged.has(keyOf(vault)) || (lastRead !== undefined && lastRead >= since)) continue;
      const applications = [...(grants.get(key)?.applications ?? []), application];
      const { name, principalId: objectId } = identity;
      grants.set(key, { cluster, identity: name, objectId, applications, vault, secret, group, lastRead });
    }
  }
  return [...grants.values()];
}

/** Notes on vaults and times that the log does not cover. */
export function coverageNotes(
  vaults: readonly string[],
  requests: readonly SecretRequests[],
  { since, now, retentionInDays }: { since: Date; now: Date; retentionInDays: number },
): string[] {
  const days = Math.round((now.getTime() - since.getTime()) / day);
  const begins = vaults.map((vault) => {
    const times = requests
      .filter((request) => keyOf(request.vault) === keyOf(vault))
      .map(({ first }) => first.getTime());
    return { vault, first: times.length === 0 ? undefined : new Date(Math.min(...times)) };
  });
  return [
    ...(retentionInDays < days
      ? [`The workspace keeps logs for ${retentionInDays} days: earlier reads are unknown.`]
      : []),
    ...begins.flatMap(({ vault, first }) => {
      if (first === undefined) {
        return [
          `The log has no request to vault ${vault}, so the use of its grants is unknown. The vault may be new, or send its log elsewhere.`,
        ];
      }
      return first > since
        ? [`The log of vault ${vault} begins on ${first.toISOString()}: a grant may have been used earlier.`]
        : [];
    }),
  ];
}
