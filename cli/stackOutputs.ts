import type * as z from 'zod';
import { stackOutputs } from '../stacks/outputs/outputs';
import { mergedOutputs } from '../stacks/outputs/merged';
import { ofEachCell } from './cells';
import { runPulumi, type PulumiStack } from './pulumi';
import { UserError } from './userError';

/** The outputs of a deployed stack. */
export interface DeployedOutputs extends z.output<typeof stackOutputs> {
  /** True if a cell of the environment could not be read. */
  readonly isIncomplete?: boolean;
}

/**
 * Reads a deployed stack's outputs, including secrets, with the pulumi on PATH. Those of an environment with cells include the
 * cells'.
 */
export async function readStackOutputs(stack: PulumiStack): Promise<DeployedOutputs> {
  const outputs = await readOwnOutputs(stack);
  if (outputs.cells === undefined) return outputs;
  const { results, isIncomplete } = await ofEachCell(stack, outputs.cells, readOwnOutputs);
  const merged = mergedOutputs(outputs, results);
  if (!isIncomplete) return merged;
  // Members that a missing cell added would count as others', as in a group that exists.
  const groups = merged.groups.map((group) => ({ ...group, isMade: false }));
  return { ...merged, groups, isIncomplete };
}

async function readOwnOutputs(stack: PulumiStack): Promise<DeployedOutputs> {
  const text = await runPulumi(stack, ['stack', 'output', '--json', '--show-secrets']);
  return parseStackOutputs(stack.name, text);
}

/** Checks that the outputs are those of this program; exported for tests. */
export function parseStackOutputs(stack: string, text: string): DeployedOutputs {
  const parsed = stackOutputs.safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data;
  // Paths only: the values may be secret.
  const paths = [...new Set(parsed.error.issues.map(({ path }) => path.join('.') || '(root)'))];
  throw new UserError(
    `The outputs of stack '${stack}' are not from this program. Missing or of the wrong type: ${paths.slice(0, 5).join(', ')}${paths.length > 5 ? `, and ${paths.length - 5} more` : ''}.`,
    `Deploy the stack with this program first: \`pulumi up --stack ${stack}\`. If an update is running, wait until it finishes.`,
  );
}
