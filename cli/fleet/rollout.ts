import pLimit from 'p-limit';
import type { CellPlan } from '../../stacks/plan';
import { cellCodes } from '../pipeline/cell';

/** Outcome of a stack in a rollout. */
export type Outcome = 'done' | 'failed' | 'verification failed' | 'refused' | 'locked' | 'not started';

const outcomeByCode: Readonly<Record<number, Outcome>> = {
  [cellCodes.done]: 'done',
  [cellCodes.notVerified]: 'verification failed',
  [cellCodes.refused]: 'refused',
  [cellCodes.locked]: 'locked',
};

export const outcomeOf = (code: number): Outcome => outcomeByCode[code] ?? 'failed';

/** Returns the cells of each wave, in the order of the waves. */
export function wavesOf(cells: readonly CellPlan[]): (readonly CellPlan[])[] {
  const numbers = [...new Set(cells.map(({ wave }) => wave))].sort((one, other) => one - other);
  return numbers.map((number) => cells.filter(({ wave }) => wave === number));
}

/**
 * Runs the stacks of the waves, one wave after the other. If a stack fails, the other stacks of its wave finish, and no later
 * wave begins.
 * @param run runs a stack
 * @param parallel number of stacks that run at the same time
 * @param before called before each wave
 */
export async function rollOut(
  waves: readonly (readonly string[])[],
  run: (stack: string) => Promise<Outcome>,
  parallel: number,
  before: (wave: number) => void = () => undefined,
): Promise<ReadonlyMap<string, Outcome>> {
  const outcomes = new Map<string, Outcome>(waves.flat().map((stack) => [stack, 'not started']));
  for (const [index, stacks] of waves.entries()) {
    before(index + 1);
    const limited = pLimit(parallel);
    await Promise.all(stacks.map((stack) => limited(async () => void outcomes.set(stack, await run(stack)))));
    if (stacks.some((stack) => outcomes.get(stack) !== 'done')) break;
  }
  return outcomes;
}

/** Returns what to do about the outcome, as a sentence. */
export function nextStep(stack: string, outcome: Outcome, environment: string): string {
  const again = `run \`npx aks-wi fleet up --stack ${environment}\` again`;
  switch (outcome) {
    case 'done':
      return '';
    case 'not started':
      return 'It starts after the earlier waves succeed.';
    case 'locked':
      return `Wait for the other update, or remove its lock with \`pulumi cancel --stack ${stack}\` if it has ended; then ${again}.`;
    case 'verification failed':
      return `See \`npx aks-wi verify --stack ${stack}\`, fix the cause, and ${again}.`;
    case 'refused':
    case 'failed':
      return `Read its log, fix the cause, and ${again}.`;
  }
}
