import * as z from 'zod';
import type { Access } from '../stacks/access/reach';
import type { Registered, RegisteredStack } from '../stacks/access/registered';
import { accessOf } from '../stacks/access/reach';
import { stackOf } from '../stacks/access/registered';
import { ofEachCell } from './cells';
import { UserError } from './userError';
import { exportedState, runPulumi, type PulumiStack } from './pulumi';

/** Computes who can use what in a deployed stack from its state. */
export async function deployedAccess(stack: PulumiStack): Promise<Access> {
  return accessOf(await deployedStack(stack), stack.name);
}

/**
 * Computes who can use what in a deployed stack, to compare it.
 * @throws UserError if a cell of the environment cannot be read: what it has would look as if it were gone, or new
 */
export async function comparableAccess(stack: PulumiStack): Promise<Access> {
  const deployed = await deployedStack(stack);
  if (!deployed.isIncomplete) return accessOf(deployed, stack.name);
  throw new UserError(
    'Some cells cannot be read, so their access would look changed.',
    'Run the command again when all cells can be read.',
  );
}

/** Resources and outputs that a deployed stack registered. */
interface DeployedStack extends RegisteredStack {
  /** True if a cell of the environment could not be read. */
  readonly isIncomplete: boolean;
}

/** Returns what a deployed stack registered, by its state; for an environment with cells, with what the cells did. */
export async function deployedStack(stack: PulumiStack): Promise<DeployedStack> {
  const own = await registeredIn(stack);
  const { cells } = cellsOutput.parse(own.outputs);
  if (cells.length === 0) return { ...own, isIncomplete: false };
  const { results, isIncomplete } = await ofEachCell(stack, cells, registeredIn);
  const all = [own, ...results];
  return {
    isIncomplete,
    resources: all.flatMap(({ resources }) => resources),
    outputs: { ...own.outputs, workloads: all.flatMap(({ outputs }) => outputs.workloads ?? []) },
  };
}

/** The cells in the outputs of a stack; none if it has none. */
export const cellsOutput = z.looseObject({
  cells: z.array(z.looseObject({ stack: z.string() })).default([]),
});

async function registeredIn(stack: PulumiStack): Promise<RegisteredStack> {
  const text = await runPulumi(stack, ['stack', 'export']);
  const resources = exportedState.parse(JSON.parse(text)).deployment.resources ?? [];
  const registered = resources.map(({ urn, id, inputs = {}, outputs = {}, provider }): Registered => ({
    ...{ urn, id, inputs, outputs },
    provider: typeof provider === 'string' ? provider : undefined,
  }));
  return stackOf(registered);
}
