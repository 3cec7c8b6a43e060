import { checkName, type AccessCheck, type WorkloadOutput } from './checks';

/** One line of the report. `detail` never holds a secret's value. */
export interface CheckResult {
  /** Of a check of a vault, `-`. */
  cluster: string;
  /** Name of the application; of a check of an identity or a vault, its own. */
  application: string;
  check: string;
  ok: boolean;
  detail: string;
}

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
  /** Its tokens were exchanged and every granted secret read. */
  grantsHold: boolean;
  failed: CheckResult[];
}

/** What a check found. */
export interface Outcome {
  ok: boolean;
  detail: string;
  /** Whether a secret could be read. */
  readable?: boolean;
}

/** A workload with the outcome of each of its checks. */
export interface WorkloadResult {
  workload: WorkloadOutput;
  outcomes: (Outcome & { check: AccessCheck })[];
}

function checkResults({ workload: { cluster, application }, outcomes }: WorkloadResult): CheckResult[] {
  return outcomes.map(({ check, ok, detail }) => ({
    cluster,
    application,
    check: checkName(check),
    ok,
    detail,
  }));
}

/** @param others the checks that are of no single workload */
export function toReport(workloads: WorkloadResult[], others: readonly CheckResult[]): Report {
  const checks = [...workloads.flatMap(checkResults), ...others];
  const passed = checks.filter(({ ok }) => ok).length;
  return { checks, passed, failed: checks.length - passed };
}

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
    grantsHold: outcomes.every(({ check: { kind }, ok }) => ok || (kind !== 'exchange' && kind !== 'read')),
    failed: checkResults(result).filter(({ ok }) => !ok),
  };
}
