import { environmentIn } from '../stacks/cells';
import { listStacks, readStack } from './project';

/** Returns the stacks whose stack files name the environment: its cells, and those that were. */
export function stacksOfCells(project: string, environment: string): string[] {
  return [...listStacks(project).keys()].filter(
    (stack) => environmentIn(readStack(project, stack).text) === environment,
  );
}
