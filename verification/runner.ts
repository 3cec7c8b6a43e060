import pLimit from 'p-limit';
import type { Access } from './access';
import { attempt, systemClock, type Clock } from './attempt';
import {
  accessWindowsAccount,
  connectionWriterAccount,
  tokenEventsAccount,
} from '../components/identity/subjects';
import type { AssignedRole } from '../stacks/access/assigned';
import { withIdentitiesBeside, type VerifiedOutputs } from './checks';
import { checkConnectionWriters } from './connectionWriters';
import { checkGrants } from './foreignGrants';
import { checkGroups, type GroupResult } from './groups';
import { checkHostedClusters, type HostedIdentityResult } from './hostedClusters';
import { checkIdentityBindings } from './identityBindings';
import { checkTrusts } from './foreignTrust';
import { planChecks } from './plan';
import type { CheckResult, WorkloadResult } from './results';
import { notesOf } from './unlisted';
import { takeInventory } from './vaultInventory';
import { WorkloadChecks } from './workloadChecks';

export interface VerifyOptions {
  outputs: VerifiedOutputs;
  /** The roles that the stack assigned. */
  assigned: readonly AssignedRole[];
  access: Access;
  /** Seconds to wait for propagation in Azure, from the first check. */
  timeoutSeconds: number;
  clock?: Clock;
  /** The time at which access windows are checked, in milliseconds since 1970. Default: now. */
  time?: () => number;
  /** Called when all checks of a workload are done. */
  onWorkload?: (result: WorkloadResult) => void;
}

/** The results of a verification. */
export interface VerifyResult {
  workloads: WorkloadResult[];
  /** The identities of hosted clusters. */
  hosted: HostedIdentityResult[];
  /** The groups of Entra. */
  groups: GroupResult[];
  /** All checks but those of workloads: of identities, groups, trust, grants and the pods of the reconcilers. */
  checks: CheckResult[];
  /** Notes on access that could not be listed, and on objects that do not exist yet; each is one line of text. */
  notes: string[];
}

/** Requests sent in parallel. */
const parallel = 8;

/** Runs every check of the stack. Never rejects because of a check's outcome. */
export async function verifyStack(options: VerifyOptions): Promise<VerifyResult> {
  const { access, clock = systemClock } = options;
  const limited = pLimit(parallel);
  const deployed = withIdentitiesBeside(options.outputs);
  const now = new Date();
  const [{ outputs, unlisted, listed }, trusts, grants, groups, writers, bindings] = await Promise.all([
    takeInventory(deployed, access, limited),
    checkTrusts(deployed, access, now, limited),
    checkGrants(deployed, options.assigned, access, limited),
    checkGroups(deployed, access, limited),
    checkConnectionWriters(deployed, access, limited),
    checkIdentityBindings(deployed, access, limited),
  ]);
  const deadline = clock.now() + options.timeoutSeconds * 1000;
  const verification = new WorkloadChecks(
    outputs,
    access,
    (action, transient) => attempt(() => limited(action), transient, { clock, deadline }),
    options.time ?? Date.now,
  );
  const hosted = await checkHostedClusters(
    outputs,
    access,
    { assignments: grants.assignments, secrets: listed, now },
    limited,
  );
  const workloads = await Promise.all(
    outputs.workloads.map(async (workload) => {
      const checks = planChecks(outputs, workload, access.reasonToReach);
      const result = { workload, outcomes: await verification.outcomes(workload, checks) };
      options.onWorkload?.(result);
      return result;
    }),
  );
  const programs = [
    ...(outputs.reconcilers ?? []).map((identity) => ({ identity, account: accessWindowsAccount })),
    ...(outputs.connectionWriters ?? []).map((identity) => ({ identity, account: connectionWriterAccount })),
  ].map(({ identity, account }) => ({ ...account, cluster: identity.cluster, identity }));
  const reconcilers = await Promise.all([
    ...programs.map((program) => verification.reconciler(program)),
    ...(outputs.tokenEvents ?? []).map((cluster) =>
      verification.reconciler({ ...tokenEventsAccount, cluster }),
    ),
  ]);
  return {
    workloads,
    hosted: hosted.identities,
    groups: groups.groups,
    checks: [
      ...[...hosted.identities, ...groups.groups].flatMap(({ checks }) => checks),
      ...[
        ...reconcilers,
        ...writers.checks,
        ...hosted.checks,
        ...bindings.checks,
        ...trusts.checks,
        ...grants.checks,
      ],
    ],
    notes: [
      ...hosted.notes,
      ...groups.notes,
      ...notesOf({
        secrets: unlisted,
        trusts: trusts.unlisted,
        bindings: bindings.unlisted,
        grants: grants.unlisted,
        roles: writers.unlisted,
        signIns: hosted.unlisted,
        members: groups.unlisted,
      }),
    ],
  };
}
