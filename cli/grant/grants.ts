import { describeOnDemand } from '../../components/accessWindows/onDemand';
import { durationOf } from '../../components/resource/duration';
import { type GrantedRole, type GrantedSecret, roleOf, rolesIn, secretsIn } from '../../stacks/plan/granted';
import { didYouMean } from '../../stacks/settings/nearest';
import { roleGuidOf, roleName } from '../../components/azure/roles';
import { windowAssignment, type WindowAssignment } from '../../components/accessWindows/assignment';
import { withIdentitiesBeside, type VerifiedOutputs, type WorkloadOutput } from '../../verification/checks';
import { assignmentRemoval } from '../../verification/removal';
import { UserError } from '../userError';

/** A person's request for access on demand. */
export interface GrantRequest {
  application: string;
  /** A secret, or a role by its name or its id. */
  secret?: string | undefined;
  role?: string | undefined;
  /** Id of the scope of the role. Default: the only scope of that role on demand. */
  scope?: string | undefined;
  /** A duration such as `30m`. */
  for: string;
  reason: string;
  /** Default: each cluster that the application runs on. */
  cluster?: string | undefined;
}

/** A role assignment that opens a secret or gives a role for a limited time. */
export interface OnDemandAssignment extends WindowAssignment {
  /** Name of the identity. */
  identity: string;
  /** The command that ends it early. */
  end: string;
}

/** The description of a role assignment is limited to 2 KB. */
const longestReason = 500;

/**
 * Plans the role assignments for every generation of the application's identities.
 * @throws UserError if the stack does not allow the request
 */
export function grantOf(
  outputs: Pick<VerifiedOutputs, 'workloads' | 'vaults' | 'subscriptionId'>,
  request: GrantRequest,
  now: Date,
  isRevoked: (workload: WorkloadOutput) => boolean = () => false,
): { until: Date; assignments: OnDemandAssignment[] } {
  const { application, secret, role, cluster, reason } = request;
  const { workloads } = withIdentitiesBeside(outputs);
  const ofApplication = workloads.filter((workload) => workload.application === application);
  const selected = ofApplication.filter((workload) => (cluster ?? workload.cluster) === workload.cluster);
  const revoked = selected.filter(isRevoked);
  if (revoked.length > 0)
    throw new UserError(
      `The stack file revokes ${application} on ${[...new Set(revoked.map((workload) => workload.cluster))].join(', ')}.`,
      'Name another of its clusters with --cluster, or remove the entry from `revoked` and run an update.',
    );
  requireKnown(
    'application',
    application,
    workloads.map((workload) => workload.application),
  );
  if (cluster !== undefined)
    requireKnown(
      `cluster of ${application}`,
      cluster,
      ofApplication.map((workload) => workload.cluster),
    );
  const onDemandGrants = selected
    .filter((workload) => workload.revoked !== true)
    .flatMap(({ identity, windows }) => windows.map((window) => ({ identity, ...window })))
    .filter(({ onDemand }) => onDemand !== undefined);
  if ((secret === undefined) === (role === undefined))
    throw new UserError(
      secret === undefined
        ? '--secret and --role are both missing.'
        : '--secret and --role exclude each other.',
      'Name one of --secret and --role.',
    );
  const selectedGrants =
    role === undefined
      ? grantsOfSecret(application, secret ?? '', secretsIn(onDemandGrants))
      : grantsOfRole(application, role, request.scope, rolesIn(onDemandGrants));
  const limit = selectedGrants[0]?.onDemand ?? '';
  const duration = durationOf(request.for);
  if (duration === undefined)
    throw new UserError(
      `--for is "${request.for}", which is not a duration. Allowed: minutes or hours, such as 30m or 4h.`,
      'Correct --for.',
    );
  if (duration > (durationOf(limit) ?? 0))
    throw new UserError(
      `--for is "${request.for}". Allowed: up to ${limit} (\`onDemand\` in the stack file).`,
      'Request a shorter time, and repeat the request when it ends.',
    );
  if (!/^\S.*$/.test(reason) || reason.length > longestReason)
    throw new UserError(
      `--reason has ${reason.length} characters. Allowed: one line of 1 to ${longestReason}.`,
      'State the reason on one line.',
    );
  const until = new Date(now.getTime() + duration);
  const assignments = selectedGrants.map(({ identity, ...granted }) => {
    const { role: guid, scope } = roleOf(granted, outputs.vaults);
    const description = describeOnDemand({ until, reason });
    const assignment = windowAssignment(scope, guid, identity.principalId, description);
    return { identity: identity.name, ...assignment, end: assignmentRemoval(assignment.id) };
  });
  return { until, assignments };
}

function grantsOfSecret<T extends GrantedSecret>(
  application: string,
  secret: string,
  grants: readonly T[],
): T[] {
  requireKnown(
    `secret that ${application} may read on demand`,
    secret,
    grants.map((grant) => grant.secret),
  );
  return grants.filter((grant) => grant.secret === secret);
}

function grantsOfRole<T extends GrantedRole>(
  application: string,
  nameOrGuid: string,
  scope: string | undefined,
  grants: readonly T[],
): T[] {
  const guid = roleGuidOf(nameOrGuid) ?? nameOrGuid;
  requireKnown(
    `role that ${application} may have on demand`,
    roleName(guid) ?? guid,
    grants.map(({ role }) => roleName(role) ?? role),
  );
  const ofRole = grants.filter(({ role }) => role === guid);
  const scopes = [...new Map(ofRole.map((grant) => [grant.scope.toLowerCase(), grant.scope])).values()];
  if (scope !== undefined)
    requireKnown(`scope on which ${application} may have that role on demand`, scope, scopes);
  else if (scopes.length > 1)
    throw new UserError(
      `${application} may have that role on demand on ${scopes.length} scopes: ${scopes.join(', ')}.`,
      'Name one of them with --scope.',
    );
  return ofRole.filter((grant) => scope === undefined || grant.scope === scope);
}

function requireKnown(kind: string, name: string, known: readonly string[]): void {
  const names = [...new Set(known)];
  if (names.includes(name)) return;
  throw new UserError(
    `The deployed stack has no ${kind} "${name}". It has: ${names.join(', ') || 'none'}.`,
    didYouMean(name, names, 'Name one of these, or set `onDemand` in the stack file and run an update.'),
  );
}
