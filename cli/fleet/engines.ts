import { stringify } from 'yaml';
import type { CellPlan } from '../../stacks/plan';
import { UserError } from '../userError';

/** A rollout that an engine runs. */
export interface EngineRollout {
  readonly environment: string;
  /** Cells of each wave, in the order of the waves. */
  readonly waves: readonly (readonly CellPlan[])[];
  /** Number of cells that are deployed at the same time. */
  readonly parallel: number;
}

/** Most jobs of a matrix, on GitHub Actions and on Azure Pipelines. */
const matrixJobs = 256;

/** The part of a wave that is one matrix. */
export interface Matrix {
  readonly cells: readonly CellPlan[];
  readonly parallel: number;
}

/**
 * Splits a wave into matrices of at most 256 cells, and divides `parallel` among them.
 * @throws UserError if there are more matrices than cells may run at once
 */
export function matricesOf(cells: readonly CellPlan[], parallel: number): Matrix[] {
  const count = Math.ceil(cells.length / matrixJobs);
  if (parallel < count)
    throw new UserError(
      `--parallel is ${parallel}, but a wave has ${cells.length} cells. A matrix has at most ${matrixJobs}, and the ${count} matrices of the wave run at the same time.`,
      `Set --parallel ${count} or more, or give cells a later wave.`,
    );
  return Array.from({ length: count }, (_, index) => ({
    cells: cells.slice(index * matrixJobs, (index + 1) * matrixJobs),
    parallel: Math.floor(parallel / count),
  }));
}

/** First line of a file that an engine reads. */
export function writtenBy(engine: string, environment: string): string {
  return `# A rollout of ${environment}, wave by wave. After a change of its cells, write it again:\n# npx aks-wi fleet render ${engine} --stack ${environment}\n`;
}

/** Returns a manifest as YAML, with each value where it is used: not all engines read anchors. */
export function inYaml(manifest: object): string {
  return stringify(manifest, { lineWidth: 0, singleQuote: true, aliasDuplicateObjects: false });
}
