import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { nearest } from '../stacks/offline';
import { VisibleError } from './visibleError';

/** A stack file on disk. */
export interface StackFile {
  /** Name of the stack. */
  stack: string;
  /** Relative to the project. */
  file: string;
  text: string;
}

/** The folder of the project: the nearest one, from the caller's upwards, with a Pulumi.yaml, as for Pulumi itself. */
export function findProject(from: string): string {
  let folder = path.resolve(from);
  while (!existsSync(path.join(folder, 'Pulumi.yaml'))) {
    const parent = path.dirname(folder);
    if (parent === folder) {
      throw new VisibleError(
        'There is no Pulumi.yaml in this folder or above it.',
        'Run the command in the folder of the project.',
      );
    }
    folder = parent;
  }
  return folder;
}

const stackFileName = /^Pulumi\.(.+)\.ya?ml$/;

/** The files of the project's stacks, by name of the stack. */
export function listStacks(project: string): Map<string, string> {
  return new Map(
    readdirSync(project).flatMap((file): [string, string][] => {
      const stack = stackFileName.exec(file)?.[1];
      return stack === undefined ? [] : [[stack, file]];
    }),
  );
}

/** The file of a stack. */
export function readStack(project: string, stack: string): StackFile {
  const known = listStacks(project);
  const file = known.get(stack);
  if (file === undefined) {
    const names = [...known.keys()];
    const near = nearest(stack, names);
    throw new VisibleError(
      `There is no Pulumi.${stack}.yaml in this project. Its stacks: ${names.join(', ') || 'none'}.`,
      near === undefined ? 'Write it, or name one of these stacks.' : `Did you mean ${near}?`,
    );
  }
  return { stack, file, text: readFileSync(path.join(project, file), 'utf8') };
}

/**
 * A stack file anywhere.
 * @param given its path, relative to the caller's folder
 * @param stack the stack's name; without it, the one that the file's name has
 */
export function readStackFile(
  project: string,
  { given, from, stack }: { given: string; from: string; stack?: string | undefined },
): StackFile {
  const absolute = path.resolve(from, given);
  const file = path.relative(project, absolute);
  if (!existsSync(absolute)) {
    throw new VisibleError(`There is no file ${file}.`, 'Name a file that exists.');
  }
  const name = stack ?? stackFileName.exec(path.basename(absolute))?.[1];
  if (name === undefined) {
    throw new VisibleError(
      `The stack of ${file} is not known: it is not named Pulumi.<stack>.yaml.`,
      'Rename it, or add --stack NAME.',
    );
  }
  return { stack: name, file, text: readFileSync(absolute, 'utf8') };
}
