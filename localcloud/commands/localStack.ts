import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Instance } from '../daemon/instance';
import { writeWhole } from '../writeWhole';
import { COMMAND, variable } from '../project';
import { UserError } from '../userError';

/** The default stack of commands. */
export const DEFAULT_STACK = 'local';

/** A stack of the local cloud, and its configuration files. */
export interface LocalStack {
  name: string;
  /** The author's stack file, relative to the project. */
  source: string;
  /** Absolute path of the engine's stack file: the author's, with local secret values. */
  file: string;
}

/** The stack options of a command line. */
export interface StackChoice {
  /** @default local */
  stack?: string | undefined;
  /**
   * Path of a stack file, relative to the caller's folder.
   *
   * @default that of the last command for the stack that named one, else Pulumi.<stack>.yaml
   */
  stackFile?: string | undefined;
}

/** The engine's rule (pulumi pkg/backend, ValidateStackName), without the organization. */
const stackName = /^[\w.-]{1,100}$/;

/** Returns the stack of a command line. Reads nothing but the remembered path of its stack file. */
export function locateStack(
  instance: Pick<Instance, 'projectRoot' | 'folder'>,
  { stack: name = DEFAULT_STACK, stackFile }: StackChoice = {},
): LocalStack {
  if (!stackName.test(name)) {
    throw new UserError(
      `'${name}' is not a valid stack name.`,
      'Allowed: up to 100 letters, digits, dots, hyphens and underscores. Omit the organization.',
    );
  }
  const chosen = stackFile === undefined ? undefined : relativeToProject(instance, stackFile);
  return {
    name,
    source: chosen ?? readNote(instance, name) ?? `Pulumi.${name}.yaml`,
    file: path.join(instance.folder, `Pulumi.${name}.yaml`),
  };
}

/** Remembers the path of the stack file for later commands, if it is not Pulumi.<stack>.yaml. */
export function rememberSource(
  instance: Pick<Instance, 'projectRoot' | 'folder'>,
  { name, source }: LocalStack,
): void {
  if ((readNote(instance, name) ?? `Pulumi.${name}.yaml`) === source) return;
  writeWhole(noteFile(instance, name), `${source}\n`);
}

/** Returns the error for a stack that the project does not have, in the words of the product's commands. */
export function noStack({ projectRoot }: Pick<Instance, 'projectRoot'>, stack: string): UserError {
  const names = readdirSync(projectRoot).flatMap((file) => /^Pulumi\.(.+)\.ya?ml$/.exec(file)?.[1] ?? []);
  return new UserError(
    `There is no stack ${stack}. The stacks of this project: ${names.sort().join(', ') || 'none'}.`,
    `Name one of these, or write Pulumi.${stack}.yaml.`,
  );
}

/** Returns the pulumi command for the stack, for messages. */
export function pulumiCommand({ name }: Pick<LocalStack, 'name'>): string {
  return name === DEFAULT_STACK ? `${COMMAND} pulumi` : `${COMMAND} pulumi --stack ${name}`;
}

/** Environment variable with the command that the product's messages show in place of `pulumi`, for a local stack. */
export const PULUMI_COMMAND = variable('PULUMI');

/** Returns the command that deploys the stack, for messages. */
export function upCommand({ name }: Pick<LocalStack, 'name'>): string {
  return name === DEFAULT_STACK ? `${COMMAND} up` : `${COMMAND} up --stack ${name}`;
}

function relativeToProject(instance: Pick<Instance, 'projectRoot'>, file: string): string {
  const relative = path.relative(instance.projectRoot, path.resolve(file));
  return relative === '' ? '.' : relative;
}

function noteFile(instance: Pick<Instance, 'folder'>, name: string): string {
  return path.join(instance.folder, 'stack-files', name);
}

function readNote(instance: Pick<Instance, 'folder'>, name: string): string | undefined {
  const file = noteFile(instance, name);
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, 'utf8').trim();
  return text === '' ? undefined : text;
}
