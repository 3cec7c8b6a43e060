import { type Granted, type GrantedRole, isRole, roleOf } from '../stacks/plan/granted';
import { isOpen, isWanted, lead, nextChange, opensWithin } from '../components/accessWindows/windows';
import { openOnDemand } from '../components/accessWindows/onDemand';
import type { Access, RoleAssignment } from './access';
import type { VerifiedOutputs, WindowCheck, WorkloadOutput } from './checks';
import type { Failure } from './failure';
import { assignmentRemoval } from './removal';
import type { Outcome } from './results';

/** The observed state of a grant with access windows. */
export interface FoundWindow {
  /** Milliseconds since 1970. */
  now: number;
  /** The identity's role assignment; undefined if there is none, null if assignments could not be listed. */
  assignment: RoleAssignment | undefined | null;
  /** The failure to read the secret; undefined if it was read, or for a role. */
  failure: Failure | undefined;
}

/** Checks that a grant is open in its windows and closed outside them. In the ten minutes around a change, either is accepted. */
export function judgeWindow(check: WindowCheck, { now, assignment, failure }: FoundWindow): Outcome {
  const { windows, onDemand } = check;
  if (failure !== undefined && failure.kind !== 'forbidden') return { ok: false, detail: failure.text };
  // A role is not tried; only its assignment counts.
  if (isRole(check) && assignment === null)
    return { ok: false, detail: 'role assignments could not be listed' };
  const readable = isRole(check) ? assignment !== undefined : failure === undefined;
  const state = isRole(check) ? (readable ? 'assigned' : 'not assigned') : readable ? 'readable' : 'refused';
  const change = nextChange(windows, now)?.toISOString();
  if (windows.some((window) => isOpen(window, now))) {
    const until = `open until ${change ?? 'further notice'}`;
    if (readable) return { ok: true, detail: until, readable };
    const reason = failure === undefined ? 'it is not assigned' : `the vault refuses it: ${failure.text}`;
    return { ok: false, detail: `${until}, and ${reason}${unattended}` };
  }
  const demanded = openOnDemand(assignment?.description, onDemand, now);
  if (demanded !== undefined)
    return {
      ...{ ok: true, isNote: true, readable },
      detail: `open on demand until ${demanded.until.toISOString()} (${demanded.reason}); ${state} now`,
    };
  if (isWanted(windows, now))
    return {
      ok: true,
      detail:
        isRole(check) && !readable
          ? `opens at ${change}; not assigned yet`
          : `opens at ${change}; ${state} already`,
      readable,
    };
  if (opensWithin(windows, now - lead, now))
    return { ok: true, detail: `closed less than 10 minutes ago; ${state} still`, readable };
  const opens = change === undefined ? 'does not open within 8 days' : `opens at ${change}`;
  const next = windows.length === 0 ? `opens on demand for up to ${onDemand}` : opens;
  if (readable || assignment) {
    const hint = assignment ? `; remove it: ${assignmentRemoval(assignment.id)}` : '';
    return {
      ...{ ok: false, readable },
      detail: `is closed, ${next}, and ${readable && !isRole(check) ? 'can be read' : 'has a role assignment'}${unattended}${hint}`,
    };
  }
  return { ok: true, detail: `closed, ${next}` };
}

const unattended = '; is the pod in the namespace access-windows running?';

/** Returns the role assignment of the workload's identity for the grant; null if assignments could not be listed. */
export async function assignmentOf(
  access: Pick<Access, 'listAssignments'>,
  { vaults }: Pick<VerifiedOutputs, 'vaults'>,
  { identity }: WorkloadOutput,
  granted: Granted,
): Promise<RoleAssignment | undefined | null> {
  return findAssignment(access, identity.principalId, roleOf(granted, vaults)).catch(() => null);
}

/** Finds the assignment of the role on exactly its scope. */
export async function findAssignment(
  access: Pick<Access, 'listAssignments'>,
  principalId: string,
  { role, scope }: GrantedRole,
): Promise<RoleAssignment | undefined> {
  const assignments = await access.listAssignments(scope);
  return assignments.find(
    (assignment) =>
      assignment.scope.toLowerCase() === scope.toLowerCase() &&
      assignment.principalId === principalId &&
      assignment.role === role,
  );
}
