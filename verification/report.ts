import type { WorkloadPlan } from './checks';

/** One line of the report. `detail` never holds a secret's value. */
export interface CheckResult {
  cluster: string;
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
  cluster: string;
  application: string;
  identity: string;
  /** Granted secrets that were read. */
  readable: string[];
  /** How many secrets are granted. */
  granted: number;
  /** Secrets that it can read without naming them. */
  overreach: string[];
  /** Its token was exchanged and every granted secret read. */
  grantsHold: boolean;
  failed: CheckResult[];
}

/** A workload's plan with the result of each of its checks, in the same order. */
export interface WorkloadResult {
  plan: WorkloadPlan;
  results: (CheckResult & { readable: boolean })[];
}

export function toReport(workloads: WorkloadResult[]): Report {
  const checks = workloads.flatMap(({ results }) =>
    results.map(({ cluster, application, check, ok, detail }) => ({
      cluster,
      application,
      check,
      ok,
      detail,
    })),
  );
  const passed = checks.filter(({ ok }) => ok).length;
  return { checks, passed, failed: checks.length - passed };
}

export function summarize({ plan, results }: WorkloadResult): WorkloadSummary {
  const readableOf = (kind: 'read' | 'overreach'): string[] =>
    plan.checks.flatMap((check, index) =>
      check.kind === kind && results[index]?.readable === true ? [check.secret] : [],
    );
  return {
    cluster: plan.workload.cluster,
    application: plan.workload.application,
    identity: plan.workload.identity.name,
    readable: readableOf('read'),
    granted: plan.workload.grants.length,
    overreach: readableOf('overreach'),
    grantsHold: plan.checks.every(
      ({ kind }, index) => (kind !== 'exchange' && kind !== 'read') || results[index]?.ok === true,
    ),
    failed: results.filter(({ ok }) => !ok),
  };
}
