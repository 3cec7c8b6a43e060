import type { AccessCheck, WorkloadOutput } from './checks';

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

/** What a check found. */
export interface Outcome {
  ok: boolean;
  detail: string;
  /** Whether a secret could be read. */
  readable?: boolean;
  /** Whether people should know the detail although the check passed. */
  isNote?: boolean;
}

/** A workload with the outcome of each of its checks. */
export interface WorkloadResult {
  workload: WorkloadOutput;
  outcomes: (Outcome & { check: AccessCheck })[];
}
