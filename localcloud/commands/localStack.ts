import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Instance } from '../daemon/instance';
import { VisibleError } from './visibleError';

/** The stack that commands are about when none is named. */
export const DEFAULT_STACK = 'local';

/** A stack of the local cloud, and where its configuration is. */
export interface LocalStack {
  name: string;
  /** The configuration as its author wrote it, relative to the project. */
  source: string;
  /** The configuration as the engine gets it: the author's, and the secrets made here. Absolute. */
  file: string;
}

/** What a command line says about the stack. */
export interface StackChoice {
  /** @default local */
  stack?: string | undefined;
  /**
   * Path of a stack file, relative to the caller's folder.
   * @default the one that the stack was given last, else Pulumi.<stack>.yaml
   */
  stackFile?: string | undefined;
}

/** The engine's own rule (pulumi pkg/backend, ValidateStackName), without the organization in front. */
const stackName = /^[\w.-]{1,100}$/;

/** The stack that a command line means. Nothing is read or written except the note of its file. */
export function locateStack(
  instance: Pick<Instance, 'projectRoot' | 'folder'>,
  { stack: name = DEFAULT_STACK, stackFile }: StackChoice = {},
): LocalStack {
  if (!stackName.test(name)) {
    throw new VisibleError(
      `'${name}' is no name of a stack.`,
      'Allowed: up to 100 letters, digits, dots, hyphens and underscores. An organization is not named here.',
    );
  }
  const given = stackFile === undefined ? undefined : relativeToProject(instance, stackFile);
  return {
    name,
    source: given ?? readNote(instance, name) ?? `Pulumi.${name}.yaml`,
    file: path.join(instance.folder, `Pulumi.${name}.yaml`),
  };
}

/**
 * Notes where the stack's configuration is, if that is not Pulumi.<stack>.yaml: the commands that follow need not be
 * told again.
 */
export function rememberSource(
  instance: Pick<Instance, 'projectRoot' | 'folder'>,
  { name, source }: LocalStack,
): void {
  if ((readNote(instance, name) ?? `Pulumi.${name}.yaml`) === source) return;
  const file = noteFile(instance, name);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.${process.pid}`, `${source}\n`, { mode: 0o600 });
  renameSync(`${file}.${process.pid}`, file);
}

/** The command that deploys the stack, as the user would type it. */
export function upCommand({ name }: Pick<LocalStack, 'name'>): string {
  return name === DEFAULT_STACK ? 'make up' : `npx aks-wi up --stack ${name}`;
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
