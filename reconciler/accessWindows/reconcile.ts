import pLimit from 'p-limit';
import { isWanted } from '../../components/accessWindows/windows';
import { openOnDemand } from '../../components/accessWindows/onDemand';
import type { WindowedGrant } from '../../components/accessWindows/schedule';
import { messageOf, type Log } from '../log';

/** A role assignment on a secret or another scope. */
export interface Assignment {
  /** Resource id. */
  readonly id: string;
  readonly principalId: string;
  readonly description?: string | undefined;
}

/** The role assignments in Azure. */
export interface Assignments {
  /** Lists the assignments of the role (GUID) on exactly this scope, not above or below it. */
  list(scope: string, role: string): Promise<readonly Assignment[]>;
  /** Also resolves if the assignment already exists. */
  create(scope: string, role: string, principalId: string): Promise<void>;
  /** Also resolves if the assignment no longer exists. */
  delete(id: string): Promise<void>;
}

/** Scopes handled in parallel. */
const parallel = 8;

/** Dependencies of a run. */
export interface Run {
  readonly assignments: Assignments;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Log;
}

/** Returns why the grant should be open, or undefined if it should be closed. */
function reasonToBeOpen(
  grant: WindowedGrant,
  assignment: Assignment | undefined,
  now: number,
): string | undefined {
  if (isWanted(grant.windows, now)) return 'its window';
  return openOnDemand(assignment?.description, grant.onDemand, now)?.reason;
}

/**
 * Removes the assignments that should be closed, then creates those that should be open. It keeps no state between runs: the next
 * run repairs what one missed, and several reconcilers do not disturb each other. An error at one scope is logged and does not
 * delay the others.
 * @returns whether everything succeeded
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
  const reconcileRole = async ({ scope, role }: WindowedGrant): Promise<void> => {
    const grantsHere = grants.filter((grant) => grant.scope === scope && grant.role === role);
    const readers = grantsHere.map(({ reader }) => reader).join(', ');
    const existing = await assignments.list(scope, role).catch(failed(scope, readers));
    if (existing === undefined) return;
    for (const grant of grantsHere) {
      const { principalId, reader } = grant;
      const assignment = existing.find((candidate) => isOf(candidate, grant));
      const reason = reasonToBeOpen(grant, assignment, now());
      if (reason !== undefined && assignment === undefined)
        openings.push(async () => {
          // The window may have ended while earlier requests ran.
          if (reasonToBeOpen(grant, assignment, now()) === undefined) return;
          await assignments.create(scope, role, principalId).then(
            () => {
              log({ event: 'opened', scope, role, reader, principalId, reason });
            },
            failed(scope, reader),
          );
        });
      if (reason === undefined && assignment !== undefined)
        await assignments.delete(assignment.id).then(
          () => {
            log({ event: 'closed', scope, role, reader, principalId, was: assignment.description ?? '' });
          },
          failed(scope, reader),
        );
    }
  };
  const limited = pLimit(parallel);
  const roles = new Map(grants.map((grant) => [`${grant.scope} ${grant.role}`, grant]));
  await Promise.all([...roles.values()].map((grant) => limited(reconcileRole, grant)));
  await Promise.all(openings.map((open) => limited(open)));
  return ok;
}

/** GUIDs are compared case-insensitively. */
function isOf(assignment: Assignment, { principalId }: WindowedGrant): boolean {
  return assignment.principalId.toLowerCase() === principalId.toLowerCase();
}

/** Returns the grants without their windows and on-demand limits: all are closed. */
export function allClosed(grants: readonly WindowedGrant[]): WindowedGrant[] {
  return grants.map(({ scope, role, principalId, reader }) => ({
    ...{ scope, role, principalId, reader },
    windows: [],
  }));
}
