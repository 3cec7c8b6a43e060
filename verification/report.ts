import { checkName, type AccessCheck, type WorkloadOutput } from './checks';
import type { CheckResult, WorkloadResult } from './results';
import type { VerifyResult } from './runner';

/** The output of `verify --json`. */
export interface Report {
  checks: CheckResult[];
  passed: number;
  failed: number;
}

/** Summary of the checks of one workload. */
export interface WorkloadSummary {
  workload: WorkloadOutput;
  /** Granted secrets that could be read. */
  readable: string[];
  /** Secrets that it can read without naming them. */
  overreach: string[];
  /** Details of passed checks that users should know. */
  notes: string[];
  /** True if the checks of its grants passed: sign-in, granted secrets, annotations and pods. */
  grantsHold: boolean;
  failed: CheckResult[];
}

function checkResults({ workload, outcomes }: WorkloadResult): CheckResult[] {
  const { cluster, application, identity, beside } = workload;
  return outcomes.map(({ check, ok, detail }) => ({
    cluster,
    application,
    check: beside === true ? `${checkName(check)}, as ${identity.name}` : checkName(check),
    ok,
    detail,
  }));
}

/** All checks of a stack. */
export function toReport({ workloads, checks: others }: Pick<VerifyResult, 'workloads' | 'checks'>): Report {
  const checks = [...workloads.flatMap(checkResults), ...others];
  const passed = checks.filter(({ ok }) => ok).length;
  return { checks, passed, failed: checks.length - passed };
}

/** Checks of grants to a workload. An update after a refresh restores them. */
const grantChecks: readonly AccessCheck['kind'][] = [
  'exchange',
  'credential',
  'annotations',
  'assigned',
  'pods',
  'read',
  'role',
];

export function summarize(result: WorkloadResult): WorkloadSummary {
  const { workload, outcomes } = result;
  const readableOf = (kind: 'read' | 'overreach'): string[] =>
    outcomes.flatMap(({ check, readable }) =>
      check.kind === kind && readable === true ? [check.secret] : [],
    );
  return {
    workload,
    readable: readableOf('read'),
    overreach: readableOf('overreach'),
    notes: outcomes.flatMap(({ check, isNote, detail }) =>
      isNote === true ? [`${checkName(check)}: ${detail}`] : [],
    ),
    grantsHold: outcomes.every(({ check: { kind }, ok }) => ok || !grantChecks.includes(kind)),
    failed: checkResults(result).filter(({ ok }) => !ok),
  };
}
