import { checkName, type AccessCheck, type WorkloadOutput } from './checks';
import type { CheckResult, WorkloadResult } from './results';
import type { VerifyResult } from './runner';

/** What `verify --json` prints. */
export interface Report {
  checks: CheckResult[];
  passed: number;
  failed: number;
}

/** What is known of one workload after its checks. */
export interface WorkloadSummary {
  workload: WorkloadOutput;
  /** Granted secrets that were read. */
  readable: string[];
  /** Secrets that it can read without naming them. */
  overreach: string[];
  /** What the outcomes say that is no failure, and that people should know. */
  notes: string[];
  /** What the stack gives it holds: its sign-in, granted secrets, annotations and pods. */
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
export function toReport({ workloads, hosted, groups, checks: others }: Omit<VerifyResult, 'notes'>): Report {
  const checks = [
    ...workloads.flatMap(checkResults),
    ...[...hosted, ...groups].flatMap((one) => one.checks),
    ...others,
  ];
  const passed = checks.filter(({ ok }) => ok).length;
  return { checks, passed, failed: checks.length - passed };
}

/** Checks of what the stack gives a workload: an update with a refresh restores it. */
const given: readonly AccessCheck['kind'][] = [
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
    grantsHold: outcomes.every(({ check: { kind }, ok }) => ok || !given.includes(kind)),
    failed: checkResults(result).filter(({ ok }) => !ok),
  };
}
