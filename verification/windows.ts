import {
  type Granted,
  type GrantedRole,
  isOpen,
  isRole,
  isWanted,
  lead,
  nextChange,
  openOnDemand,
  opensWithin,
  roleOf,
} from '../stacks/offline';
import type { Access, RoleAssignment } from './access';
import type { VerifiedOutputs, WindowCheck, WorkloadOutput } from './checks';
import type { Failure } from './failure';
import { assignmentRemoval } from './removal';
import type { Outcome } from './results';

/** What was found of a grant that is open at times. */
export interface FoundWindow {
  /** Milliseconds since 1970. */
  now: number;
  /** The role assignment of the identity on the secret; undefined if there is none, null if that could not be read. */
  assignment: RoleAssignment | undefined | null;
  /** Why the secret could not be read; undefined: it could, or it is a role. */
  failure: Failure | undefined;
}

/** Whether the grant is as it is to be now: open in its windows, closed outside them, either in the ten minutes around them. */
export function judgeWindow(check: WindowCheck, { now, assignment, failure }: FoundWindow): Outcome {
  const { windows, onDemand } = check;
  if (failure !== undefined && failure.kind !== 'forbidden') return { ok: false, detail: failure.text };
  // Nothing is tried with a role: it is there, or not.
  if (isRole(check) && assignment === null)
    return { ok: false, detail: 'role assignments could not be listed' };
  const readable = isRole(check) ? assignment !== undefined : failure === undefined;
  const does = isRole(check) ? (readable ? 'assigned' : 'not assigned') : readable ? 'readable' : 'refused';
  const change = nextChange(windows, now)?.toISOString();
  if (windows.some((one) => isOpen(one, now))) {
    const until = `open until ${change ?? 'further on'}`;
    if (readable) return { ok: true, detail: until, readable };
    const why = failure === undefined ? 'it is not assigned' : `the vault refuses it: ${failure.text}`;
    return { ok: false, detail: `${until}, and ${why}${unattended}` };
  }
  const demanded = openOnDemand(assignment?.description, onDemand, now);
  if (demanded !== undefined)
    return {
      ...{ ok: true, isNote: true, readable },
      detail: `open on demand until ${demanded.until.toISOString()} (${demanded.reason}); ${does} now`,
    };
  if (isWanted(windows, now))
    return {
      ok: true,
      detail:
        isRole(check) && !readable
          ? `opens at ${change}; not assigned yet`
          : `opens at ${change}; ${does} already`,
      readable,
    };
  if (opensWithin(windows, now - lead, now))
    return { ok: true, detail: `closed less than 10 minutes ago; ${does} still`, readable };
  const opens = change === undefined ? 'does not open within 8 days' : `opens at ${change}`;
  const next = windows.length === 0 ? `opens on demand for up to ${onDemand}` : opens;
  if (readable || assignment) {
    const remedy = assignment ? `; remove it: ${assignmentRemoval(assignment.id)}` : '';
    return {
      ...{ ok: false, readable },
      detail: `is closed, ${next}, and ${readable && !isRole(check) ? 'can be read' : 'has a role assignment'}${unattended}${remedy}`,
    };
  }
  return { ok: true, detail: `closed, ${next}` };
}

const unattended = '; is the pod in the namespace access-windows running?';

/** The role assignment by which the workload's identity reads the secret or has the role; null if that could not be read. */
export async function assignmentOf(
  access: Pick<Access, 'listAssignments'>,
  { vaults }: Pick<VerifiedOutputs, 'vaults'>,
  { identity }: WorkloadOutput,
  granted: Granted,
): Promise<RoleAssignment | undefined | null> {
  return findAssignment(access, identity.principalId, roleOf(granted, vaults)).catch(() => null);
}

/** The assignment of the role on exactly its scope. */
export async function findAssignment(
  access: Pick<Access, 'listAssignments'>,
  principalId: string,
  { role, scope }: GrantedRole,
): Promise<RoleAssignment | undefined> {
  const found = await access.listAssignments(scope);
  return found.find(
    (one) =>
      one.scope.toLowerCase() === scope.toLowerCase() && one.principalId === principalId && one.role === role,
  );
}
