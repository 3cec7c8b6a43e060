import type { AccessCheck, WorkloadOutput } from './checks';

/** One line of the report. `detail` never contains a secret's value. */
export interface CheckResult {
  /** `-` for a check of a vault. */
  cluster: string;
  /** Name of the application, or of the identity or vault that is checked. */
  application: string;
  check: string;
  ok: boolean;
  detail: string;
}

/** Result of a check. */
export interface Outcome {
  ok: boolean;
  detail: string;
  /** True if a secret could be read. */
  readable?: boolean;
  /** True if users should know the detail although the check passed. */
  isNote?: boolean;
  /** True if an update with a refresh restores what is wrong. */
  isRestorable?: boolean;
}

/** A workload with the outcome of each of its checks. */
export interface WorkloadResult {
  workload: WorkloadOutput;
  outcomes: (Outcome & { check: AccessCheck })[];
}
