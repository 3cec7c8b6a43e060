import { spawn } from 'node:child_process';
import path from 'node:path';
import type { Instance } from '../daemon/instance';
import { stackExists } from './backendFiles';
import { requireServing } from './cloud';
import { openInstanceToolchain, pulumiContext } from './context';
import { policyPack, PROJECT, SECRET_VALUES } from '../project';
import { locateStack, upCommand } from './localStack';
import { installPlugins } from './plugins';
import { checkCommitted, prepareStack } from './stack';
import { configOf } from './stackDocument';
import type { StackChoice } from './localStack';
import type { Product } from './product';
import { splitStackChoice } from './stackArgument';
import { UserError } from '../userError';
import { exclusively } from './workLock';

/** Commands with the option `--config-file` (pulumi 3.257 pkg/cmd/pulumi). */
const withConfigFile = new Set([
  'up',
  'update',
  'preview',
  'pre',
  'destroy',
  'down',
  'refresh',
  'import',
  'watch',
  'logs',
  'config',
  'cfg',
]);

/** Commands that change a stack. */
const changing = new Set([
  'up',
  'update',
  'destroy',
  'down',
  'dn',
  'refresh',
  'import',
  'watch',
  'cancel',
  'state',
]);

/** Adds the stack's configuration file to commands that accept one, unless the arguments have one. */
export function withStackFile(args: string[], stackFile: string): string[] {
  const index = indexOfCommand(args);
  if (!withConfigFile.has(args[index] ?? '')) return args;
  if (args.some((argument) => argument === '--config-file' || argument.startsWith('--config-file=')))
    return args;
  return [...args.slice(0, index + 1), '--config-file', stackFile, ...args.slice(index + 1)];
}

/**
 * Tells whether the arguments change settings that are not encrypted. These are in the committed file, which replaces all of
 * the engine's stack file but its encrypted values before each command.
 *
 * @param settings settings of the committed file
 */
export function changesCommittedSettings(args: string[], settings: readonly string[]): boolean {
  const index = indexOfCommand(args);
  if (!['config', 'cfg'].includes(args[index] ?? '')) return false;
  const [action = '', ...keys] = args.filter(
    (argument, place) =>
      place > index && !argument.startsWith('-') && !/^(-s|--stack)$/.test(args[place - 1] ?? ''),
  );
  if (action.startsWith('set')) return !args.includes('--secret');
  if (!/^(rm|remove)/.test(action)) return false;
  const removed = keys.map((key) => /^[^.[]+/.exec(key)?.[0] ?? '');
  const names = removed.map((key) => (key.includes(':') ? key : `${PROJECT}:${key}`));
  return names.every((name) => name !== SECRET_VALUES && settings.includes(name));
}

/** Adds the policy pack to commands that preview or make changes, unless the arguments have one. */
export function withPolicyPack(args: string[]): string[] {
  const index = indexOfCommand(args);
  if (!['up', 'update', 'preview', 'pre'].includes(args[index] ?? '')) return args;
  if (args.some((argument) => /^--policy-pack(=|$)/.test(argument))) return args;
  return [...args.slice(0, index + 1), ...policyPack, ...args.slice(index + 1)];
}

const indexOfCommand = (args: string[]): number => args.findIndex((argument) => !argument.startsWith('-'));
const commandIn = (args: string[]): string => args[indexOfCommand(args)] ?? '';

/**
 * Runs pulumi on a stack of the local cloud, with the caller's terminal; resolves with its exit code. Commands
 * that accept a configuration file create a missing stack, so that secrets can be set before the first update.
 */
export async function runUserPulumi(instance: Instance, args: string[], product: Product): Promise<number> {
  const { choice, rest } = splitStackChoice(args);
  if (isHelp(rest))
    return spawnPulumi(await openInstanceToolchain(instance).require('pulumi'), rest, instance, {});
  // No save or restore may start meanwhile, and `cancel` must not remove the engine's lock from an update that still runs:
  // the update would continue without it.
  const name = commandIn(rest);
  if (changing.has(name))
    return exclusively(instance, `pulumi ${name}`, () => runOnStack(instance, choice, rest, product));
  return runOnStack(instance, choice, rest, product);
}

/** Tells whether the arguments ask for pulumi's help or version, which need no stack. */
export function isHelp(args: string[]): boolean {
  return (
    args.length === 0 ||
    args.includes('--help') ||
    args.includes('-h') ||
    ['help', 'version'].includes(args[0] ?? '')
  );
}

async function runOnStack(
  instance: Instance,
  choice: StackChoice,
  rest: string[],
  product: Product,
): Promise<number> {
  const stack = locateStack(instance, choice);
  const committed = checkCommitted(instance, stack);
  const run = requireServing(instance);
  if (!stackExists(instance, stack.name) && !withConfigFile.has(commandIn(rest))) {
    throw new UserError(
      `There is no stack ${stack.name} in the local cloud yet.`,
      `Run \`${upCommand(stack)}\` first.`,
    );
  }
  const toolchain = openInstanceToolchain(instance);
  const context = await pulumiContext(instance, run, toolchain, stack);
  // A stack file may reference the charts.
  await toolchain.charts(instance.chartsDir);
  installPlugins(instance);
  await prepareStack(context, product);
  const settings = Object.keys(configOf(committed) ?? {});
  const file = changesCommittedSettings(rest, settings)
    ? path.resolve(instance.projectRoot, stack.source)
    : stack.file;
  return spawnPulumi(context.pulumi, withPolicyPack(withStackFile(rest, file)), instance, context.env);
}

async function spawnPulumi(
  pulumi: string,
  args: string[],
  { projectRoot: cwd }: Instance,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  // The terminal sends Ctrl-C to pulumi as well, and this process waits until pulumi ends.
  const ignore = (): void => undefined;
  process.on('SIGINT', ignore);
  try {
    return await new Promise<number>((resolve, reject) => {
      const child = spawn(pulumi, args, { cwd, env: { ...process.env, ...env }, stdio: 'inherit' });
      child.once('error', reject);
      child.once('close', (code) => resolve(code ?? 1));
    });
  } finally {
    process.off('SIGINT', ignore);
  }
}
