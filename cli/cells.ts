import pLimit from 'p-limit';
import { messageOf } from '../components/resource/errors';
import { printProblem } from './print';
import type { PulumiStack } from './pulumi';
import { exitCodes } from './exitCodes';

/** Number of stacks that are read at the same time. */
export const stacksAtOnce = 4;

/** Cells that a note has named. */
const named = new Set<string>();

/**
 * Reads something of the stack of each cell. A cell that cannot be read is named in a note and left out: the results are
 * incomplete, and the exit code of the command is 1.
 */
export async function ofEachCell<T>(
  environment: PulumiStack,
  cells: readonly { readonly stack: string }[],
  read: (stack: PulumiStack) => Promise<T>,
): Promise<{ readonly results: T[]; readonly isIncomplete: boolean }> {
  const limited = pLimit(stacksAtOnce);
  const found = await Promise.all(
    cells.map(({ stack: name }) =>
      limited(async (): Promise<T[]> => {
        try {
          return [await read({ ...environment, name })];
        } catch (error) {
          if (!named.has(name))
            printProblem(`warning: the cell ${name} cannot be read and is left out: ${messageOf(error)}\n`);
          named.add(name);
          process.exitCode = exitCodes['every command'].failed;
          return [];
        }
      }),
    ),
  );
  const results = found.flat();
  return { results, isIncomplete: results.length < cells.length };
}
