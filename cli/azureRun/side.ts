import type { Recorded } from './record';

/** The run on one cloud: the answers of the cloud, and the results of the steps. */
export interface Side {
  readonly records: readonly Recorded[];
  /** Values that the report must not contain. */
  readonly secrets: readonly string[];
  /** Exit codes of the steps; undefined for a step that was not reached. */
  readonly steps: Readonly<Record<string, number | undefined>>;
}

/** Returns the rows of a report for the steps of a side. */
export function stepRows(side: string, { steps }: Side) {
  return Object.entries(steps).map(([step, code]) => ({
    ...{ side, step },
    result: code === undefined ? 'not reached' : code === 0 ? 'done' : `failed (exit code ${code})`,
  }));
}

/** Tells whether every step succeeded. */
export const succeeded = ({ steps }: Side): boolean => Object.values(steps).every((code) => code === 0);
