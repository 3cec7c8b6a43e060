import {
  builtInRoles,
  isOpen,
  isWanted,
  lead,
  nextChange,
  openOnDemand,
  opensWithin,
} from '../stacks/offline';
import type { Access, RoleAssignment } from './access';
import type { VerifiedOutputs, WindowCheck, WorkloadOutput } from './checks';
import type { Failure } from './failure';
import { assignmentRemoval } from './removal';
import type { Outcome } from './report';

/** What was found of a grant that is open at times. */
export interface FoundWindow {
  /** Milliseconds since 1970. */
  now: number;
  /** The role assignment of the identity on the secret; undefined if there is none, null if that could not be read. */
  assignment: RoleAssignment | undefined | null;
  /** Why the secret could not be read; undefined: it could. */
  failure: Failure | undefined;
}

/** Whether the grant is as it is to be now: open in its windows, closed outside them, either in the ten minutes around them. */
export function judgeWindow(
  { windows, onDemand }: WindowCheck,
  { now, assignment, failure }: FoundWindow,
): Outcome {
  if (failure !== undefined && failure.kind !== 'forbidden') return { ok: false, detail: failure.text };
  const readable = failure === undefined;
  const does = readable ? 'readable' : 'refused';
  const change = nextChange(windows, now)?.toISOString();
  if (windows.some((one) => isOpen(one, now))) {
    const until = `open until ${change ?? 'further on'}`;
    if (readable) return { ok: true, detail: until, readable };
    return { ok: false, detail: `${until}, and the vault refuses it: ${failure.text}${unattended}` };
  }
  const demanded = openOnDemand(assignment?.description, onDemand, now);
  if (demanded !== undefined)
    return {
      ...{ ok: true, isNote: true, readable },
      detail: `open on demand until ${demanded.until.toISOString()} (${demanded.reason}); ${does} now`,
    };
  if (isWanted(windows, now)) return { ok: true, detail: `opens at ${change}; ${does} already`, readable };
  if (opensWithin(windows, now - lead, now))
    return { ok: true, detail: `closed less than 10 minutes ago; ${does} still`, readable };
  const opens = change === undefined ? 'does not open within 8 days' : `opens at ${change}`;
  const next = windows.length === 0 ? `opens on demand for up to ${onDemand}` : opens;
  if (readable || assignment) {
    const remedy = assignment ? `; remove it: ${assignmentRemoval(assignment.id)}` : '';
    return {
      ...{ ok: false, readable },
      detail: `is closed, ${next}, and ${readable ? 'can be read' : 'has a role assignment'}${unattended}${remedy}`,
    };
  }
  return { ok: true, detail: `closed, ${next}` };
}

const unattended = '; is the pod in the namespace access-windows running?';

/** The role assignment by which the workload's identity reads the secret; null if that could not be read. */
export async function assignmentOf(
  access: Pick<Access, 'listAssignments'>,
  { vaults }: Pick<VerifiedOutputs, 'vaults'>,
  { identity }: WorkloadOutput,
  { vault, secret }: WindowCheck,
): Promise<RoleAssignment | undefined | null> {
  const scope = `${vaults[vault]?.id ?? ''}/secrets/${secret}`;
  const found = await access.listAssignments(scope).catch(() => null);
  if (found === null) return null;
  return found.find(
    (one) =>
      one.scope.toLowerCase() === scope.toLowerCase() &&
      one.principalId === identity.principalId &&
      one.role === builtInRoles.keyVaultSecretsUser,
  );
}
