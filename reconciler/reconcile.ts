import pLimit from 'p-limit';
import { isWanted } from '../components/access/calendar';
import { openOnDemand } from '../components/access/onDemand';
import type { WindowedGrant } from '../components/access/schedule';
import { messageOf, type Log } from './log';

/** An assignment of a role on a secret, or on whatever else. */
export interface Assignment {
  /** Resource id. */
  readonly id: string;
  readonly principalId: string;
  readonly description?: string | undefined;
}

/** The assignments, as Azure has them. */
export interface Assignments {
  /** Those of the role with the GUID on exactly this scope, and not above or below it. */
  list(scope: string, role: string): Promise<readonly Assignment[]>;
  /** Resolves also if there is one already. */
  create(scope: string, role: string, principalId: string): Promise<void>;
  /** Resolves also if there is none any more. */
  delete(id: string): Promise<void>;
}

/** Scopes at a time. */
const parallel = 8;

/** What a run works with. */
export interface Run {
  readonly assignments: Assignments;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Log;
}

/** Why the grant is to be open; undefined: it is to be closed. */
function reasonToBeOpen(
  grant: WindowedGrant,
  found: Assignment | undefined,
  now: number,
): string | undefined {
  if (isWanted(grant.windows, now)) return 'its window';
  return openOnDemand(found?.description, grant.onDemand, now)?.reason;
}

/**
 * Assigns what is to be open and is not, and removes what is open and is not to be: all of this before it assigns anything. It
 * knows nothing of earlier runs, so that the next one heals what one missed, and two reconcilers do not disturb each other. An
 * error at one scope is said, and holds up no other.
 * @returns whether all went well
 */
export async function reconcile(
  grants: readonly WindowedGrant[],
  { assignments, now, log }: Run,
): Promise<boolean> {
  let ok = true;
  const failed = (scope: string, reader: string) => (error: unknown) => {
    ok = false;
    log({ event: 'failed', scope, reader, reason: messageOf(error) });
  };
  const openings: (() => Promise<void>)[] = [];
  const lookAt = async ({ scope, role }: WindowedGrant): Promise<void> => {
    const here = grants.filter((one) => one.scope === scope && one.role === role);
    const readers = here.map(({ reader }) => reader).join(', ');
    const all = await assignments.list(scope, role).catch(failed(scope, readers));
    if (all === undefined) return;
    for (const grant of here) {
      const { principalId, reader } = grant;
      const found = all.find((one) => isSame(one, grant));
      const reason = reasonToBeOpen(grant, found, now());
      if (reason !== undefined && found === undefined)
        openings.push(async () => {
          // What came before may have taken its time.
          if (reasonToBeOpen(grant, found, now()) === undefined) return;
          await assignments.create(scope, role, principalId).then(
            () => {
              log({ event: 'opened', scope, role, reader, principalId, reason });
            },
            failed(scope, reader),
          );
        });
      if (reason === undefined && found !== undefined)
        await assignments.delete(found.id).then(
          () => {
            log({ event: 'closed', scope, role, reader, principalId, was: found.description ?? '' });
          },
          failed(scope, reader),
        );
    }
  };
  const limited = pLimit(parallel);
  const places = new Map(grants.map((one) => [`${one.scope} ${one.role}`, one]));
  await Promise.all([...places.values()].map((one) => limited(lookAt, one)));
  await Promise.all(openings.map((open) => limited(open)));
  return ok;
}

/** GUIDs mean the same in any case. */
function isSame(one: Assignment, { principalId }: WindowedGrant): boolean {
  return one.principalId.toLowerCase() === principalId.toLowerCase();
}

/** The grants, none of which may be open: neither a window nor a person's word is believed. */
export function allClosed(grants: readonly WindowedGrant[]): WindowedGrant[] {
  return grants.map(({ scope, role, principalId, reader }) => ({
    ...{ scope, role, principalId, reader },
    windows: [],
  }));
}
