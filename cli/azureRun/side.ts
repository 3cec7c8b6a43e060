import type { Recorded } from './record';

/** The run on one cloud: the answers of the cloud, and the results of the steps. */
export interface Side {
  readonly records: readonly Recorded[];
  /** Values that the report must not contain. */
  readonly secrets: readonly string[];
  /** Exit codes of the steps; undefined for a step that was not reached. */
  readonly steps: Readonly<Record<string, number | undefined>>;
}

/**
 * Deploys, verifies what was deployed, and destroys in any case. Each step resolves with its exit code.
 *
 * @returns the exit codes; undefined for a step that was not reached
 */
export async function runSteps(
  steps: Readonly<Record<'deploy' | 'verify' | 'destroy', () => Promise<number>>>,
): Promise<Side['steps']> {
  const deploy = await steps.deploy();
  const verify = deploy === 0 ? await steps.verify() : undefined;
  return { deploy, verify, destroy: await steps.destroy() };
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
