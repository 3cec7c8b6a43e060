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

/**
 * What every command says of a stack that the project does not have; undefined if it has it.
 *
 * @param from a folder of the project
 * @param name with its organization and project, or without, as Pulumi takes it
 */
export function unknownStack(from: string, name: string): VisibleError | undefined {
  const stack = path.posix.basename(name);
  const project = findProject(from);
  return listStacks(project).has(stack) ? undefined : noStack(project, stack);
}

function noStack(project: string, stack: string): VisibleError {
  const names = [...listStacks(project).keys()].sort();
  const near = nearest(stack, names);
  return new VisibleError(
    `There is no stack ${stack}. The stacks of this project: ${names.join(', ') || 'none'}.`,
    near === undefined ? `Name one of these, or write Pulumi.${stack}.yaml.` : `Did you mean ${near}?`,
  );
}

/** The file of a stack. */
export function readStack(project: string, stack: string): StackFile {
  const file = listStacks(project).get(stack);
  if (file === undefined) throw noStack(project, stack);
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
