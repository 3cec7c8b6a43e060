import {
  describeOnDemand,
  durationOf,
  type GrantedRole,
  type GrantedSecret,
  nearest,
  roleGuidOf,
  roleName,
  roleOf,
  rolesIn,
  secretsIn,
  windowAssignment,
  type WindowAssignment,
} from '../../stacks/offline';
import { withIdentitiesBeside, type VerifiedOutputs, type WorkloadOutput } from '../../verification/checks';
import { assignmentRemoval } from '../../verification/removal';
import { VisibleError } from '../visibleError';

/** What a person asks for. */
export interface GrantRequest {
  application: string;
  /** A secret, or a role by its name or its id. */
  secret?: string | undefined;
  role?: string | undefined;
  /** Id of the scope of the role. Default: the only scope on which the application has it on demand. */
  scope?: string | undefined;
  /** A duration such as `30m`. */
  for: string;
  reason: string;
  /** Default: each cluster that the application runs on. */
  cluster?: string | undefined;
}

/** A role assignment that opens a secret, or gives a role, for a while. */
export interface OnDemandAssignment extends WindowAssignment {
  /** Name of the identity. */
  identity: string;
  /** The command that ends it before its time. */
  end: string;
}

/** A description of a role assignment has at most 2 KB. */
const longestReason = 500;

/**
 * The role assignments of every generation of the application's identities.
 * @throws VisibleError if the stack file does not allow it
 */
export function grantOf(
  outputs: Pick<VerifiedOutputs, 'workloads' | 'vaults' | 'subscriptionId'>,
  request: GrantRequest,
  now: Date,
  isRevoked: (workload: WorkloadOutput) => boolean = () => false,
): { until: Date; assignments: OnDemandAssignment[] } {
  const { application, secret, role, cluster, reason } = request;
  const { workloads } = withIdentitiesBeside(outputs);
  const named = workloads.filter((one) => one.application === application);
  const revoked = named.filter((one) => (cluster ?? one.cluster) === one.cluster && isRevoked(one));
  if (revoked.length > 0)
    throw new VisibleError(
      `The stack file revokes ${application} on ${[...new Set(revoked.map((one) => one.cluster))].join(', ')}.`,
      'Name another cluster that it runs on with --cluster, or take the entry out of `revoked` and run an update.',
    );
  known(
    'application',
    application,
    workloads.map((one) => one.application),
  );
  if (cluster !== undefined)
    known(
      `cluster of ${application}`,
      cluster,
      named.map((one) => one.cluster),
    );
  const open = named
    .filter((one) => (cluster ?? one.cluster) === one.cluster && one.revoked !== true)
    .flatMap(({ identity, windows }) => windows.map((window) => ({ identity, ...window })))
    .filter(({ onDemand }) => onDemand !== undefined);
  if ((secret === undefined) === (role === undefined))
    throw new VisibleError(
      secret === undefined ? 'Neither --secret nor --role is given.' : 'Both --secret and --role are given.',
      'Name one of them.',
    );
  const wanted =
    role === undefined
      ? wantedSecret(application, secret ?? '', secretsIn(open))
      : wantedRole(application, role, request.scope, rolesIn(open));
  const limit = wanted[0]?.onDemand ?? '';
  const duration = durationOf(request.for);
  if (duration === undefined)
    throw new VisibleError(
      `--for is "${request.for}", which is no duration. Allowed: minutes or hours, such as 30m or 4h.`,
      'Correct it.',
    );
  if (duration > (durationOf(limit) ?? 0))
    throw new VisibleError(
      `--for is "${request.for}". Allowed: up to ${limit}, as \`onDemand\` in the stack file says.`,
      'Ask for a shorter time, and again when it ends.',
    );
  if (!/^\S.*$/.test(reason) || reason.length > longestReason)
    throw new VisibleError(
      `--reason has ${reason.length} characters. Allowed: one line of 1 to ${longestReason}, which others will read.`,
      'Say why.',
    );
  const until = new Date(now.getTime() + duration);
  const assignments = wanted.map(({ identity, ...granted }) => {
    const { role: guid, scope } = roleOf(granted, outputs.vaults);
    const description = describeOnDemand({ until, reason });
    const assignment = windowAssignment(scope, guid, identity.principalId, description);
    return { identity: identity.name, ...assignment, end: assignmentRemoval(assignment.id) };
  });
  return { until, assignments };
}

function wantedSecret<T extends GrantedSecret>(application: string, secret: string, open: readonly T[]): T[] {
  known(
    `secret that ${application} may read on demand`,
    secret,
    open.map((one) => one.secret),
  );
  return open.filter((one) => one.secret === secret);
}

function wantedRole<T extends GrantedRole>(
  application: string,
  given: string,
  scope: string | undefined,
  open: readonly T[],
): T[] {
  const guid = roleGuidOf(given) ?? given;
  known(
    `role that ${application} has on demand`,
    roleName(guid) ?? guid,
    open.map(({ role }) => roleName(role) ?? role),
  );
  const found = open.filter(({ role }) => role === guid);
  const scopes = [...new Map(found.map((one) => [one.scope.toLowerCase(), one.scope])).values()];
  if (scope !== undefined) known(`scope on which ${application} has that role on demand`, scope, scopes);
  else if (scopes.length > 1)
    throw new VisibleError(
      `${application} has that role on demand on ${scopes.length} scopes: ${scopes.join(', ')}.`,
      'Name one of them with --scope.',
    );
  return found.filter((one) => scope === undefined || one.scope === scope);
}

function known(what: string, name: string, all: readonly string[]): void {
  const names = [...new Set(all)];
  if (names.includes(name)) return;
  const near = nearest(name, names);
  throw new VisibleError(
    `The deployed stack has no ${what} "${name}". It has: ${names.join(', ') || 'none'}.`,
    near === undefined
      ? 'Name one of these, or set `onDemand` in the stack file and run an update.'
      : `Did you mean ${near}?`,
  );
}
