import { environmentIn } from '../stacks/cells';
import { listStacks, readStack } from './project';

/** Returns the stacks whose stack files name the environment: its cells, and those that were. */
export function stacksOfCells(project: string, environment: string): string[] {
  return [...listStacks(project).keys()].filter(
    (stack) => environmentIn(readStack(project, stack).text) === environment,
  );
}

/** Returns what to do with the stack of a former cell. Other stacks may deploy its resources by now, so it is not destroyed first. */
export const removeFormerCell = (environment: string, stack: string): string =>
  `Run \`npx aks-wi fleet move --stack ${environment}\`, which moves what other stacks deploy now, and then \`pulumi stack rm ${stack}\`. If that refuses, the rest of its resources is deployed nowhere: destroy it.`;

/** Returns the stacks whose stack files name the environment, and that are none of its cells: it had them, or will have them. */
export function stacksOfOtherCells(
  project: string,
  environment: string,
  cells: readonly { readonly stack: string }[],
): string[] {
  return stacksOfCells(project, environment).filter((stack) => cells.every((cell) => cell.stack !== stack));
}
