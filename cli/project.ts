import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { didYouMean } from '../stacks/settings/nearest';
import { UserError } from './userError';

/** A stack file on disk. */
export interface StackFile {
  /** Name of the stack. */
  stack: string;
  /** Relative to the project. */
  file: string;
  text: string;
}

/** Finds the project's folder like Pulumi: the nearest one with a Pulumi.yaml, from the caller's upwards. */
export function findProject(from: string): string {
  let folder = path.resolve(from);
  while (!existsSync(path.join(folder, 'Pulumi.yaml'))) {
    const parent = path.dirname(folder);
    if (parent === folder) {
      throw new UserError(
        'There is no Pulumi.yaml in this folder or above it.',
        'Run the command in the project folder.',
      );
    }
    folder = parent;
  }
  return folder;
}

const stackFileName = /^Pulumi\.(.+)\.ya?ml$/;

/** Lists the files of the project's stacks by stack name. */
export function listStacks(project: string): Map<string, string> {
  return new Map(
    readdirSync(project).flatMap((file): [string, string][] => {
      const stack = stackFileName.exec(file)?.[1];
      return stack === undefined ? [] : [[stack, file]];
    }),
  );
}

/**
 * Returns the error for a stack that is not in the project; undefined if it is.
 *
 * @param from a folder of the project
 * @param name name of the stack, with or without organization and project
 */
export function unknownStack(from: string, name: string): UserError | undefined {
  const stack = path.posix.basename(name);
  const project = findProject(from);
  return listStacks(project).has(stack) ? undefined : noStack(project, stack);
}

function noStack(project: string, stack: string): UserError {
  const names = [...listStacks(project).keys()].sort();
  return new UserError(
    `There is no stack ${stack}. The stacks of this project: ${names.join(', ') || 'none'}.`,
    didYouMean(stack, names, `Name one of these, or write Pulumi.${stack}.yaml.`),
  );
}

/** Reads the file of a stack. */
export function readStack(project: string, stack: string): StackFile {
  const file = listStacks(project).get(stack);
  if (file === undefined) throw noStack(project, stack);
  return { stack, file, text: readFileSync(path.join(project, file), 'utf8') };
}

/** Reads the file of a stack. @param filePath path relative to the current folder. Default: the stack's file in the project */
export const chosenStackFile = (project: string, stack: string, filePath: string | undefined): StackFile =>
  filePath === undefined
    ? readStack(project, stack)
    : readStackFile(project, { filePath, from: process.cwd(), stack });

/**
 * Reads a stack file from any place.
 * @param filePath path of the file, relative to `from`
 * @param stack name of the stack. Default: the one in the file's name
 */
export function readStackFile(
  project: string,
  { filePath, from, stack }: { filePath: string; from: string; stack?: string | undefined },
): StackFile {
  const absolute = path.resolve(from, filePath);
  const file = path.relative(project, absolute);
  if (!existsSync(absolute)) {
    throw new UserError(`There is no file ${file}.`, 'Name a file that exists.');
  }
  const name = stack ?? stackFileName.exec(path.basename(absolute))?.[1];
  if (name === undefined) {
    throw new UserError(
      `The name of ${file} does not contain its stack: it must be Pulumi.<stack>.yaml.`,
      'Rename it, or add --stack NAME.',
    );
  }
  return { stack: name, file, text: readFileSync(absolute, 'utf8') };
}
