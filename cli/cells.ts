import pLimit from 'p-limit';
import { messageOf } from '../components/resource/errors';
import { printNote } from './print';
import type { PulumiStack } from './pulumi';

/** Number of stacks that are read at the same time. */
export const stacksAtOnce = 4;

const unreachable = new Set<string>();

/** Tells whether a cell could not be read, so that a result is not of the whole environment. */
export const hasUnreadCells = (): boolean => unreachable.size > 0;

/** Reads something of the stack of each cell. A cell that cannot be read is named in a note, and left out. */
export async function ofEachCell<T>(
  environment: PulumiStack,
  cells: readonly { readonly stack: string }[],
  read: (stack: PulumiStack) => Promise<T>,
): Promise<T[]> {
  const limited = pLimit(stacksAtOnce);
  const results = await Promise.all(
    cells.map(({ stack: name }) =>
      limited(async (): Promise<T[]> => {
        try {
          return [await read({ ...environment, name })];
        } catch (error) {
          if (!unreachable.has(name))
            printNote(`warning: the cell ${name} cannot be read and is left out: ${messageOf(error)}\n`);
          unreachable.add(name);
          return [];
        }
      }),
    ),
  );
  return results.flat();
}
