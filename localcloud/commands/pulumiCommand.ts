import { spawn } from 'node:child_process';
import type { Instance } from '../daemon/instance';
import { stackExists } from './backendState';
import { requireServing } from './cloud';
import { openInstanceToolchain, pulumiContext } from './context';
import { locateStack, upCommand } from './localStack';
import { installPlugins } from './plugins';
import { checkCommitted, prepareStack } from './stack';
import { splitStackChoice } from './stackArgument';
import { VisibleError } from './visibleError';

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

/** Adds the stack's configuration file to commands that accept one, unless it is given. */
export function withStackFile(args: string[], stackFile: string): string[] {
  const index = args.findIndex((argument) => !argument.startsWith('-'));
  if (!takesStackFile(args)) return args;
  if (args.some((argument) => argument === '--config-file' || argument.startsWith('--config-file=')))
    return args;
  return [...args.slice(0, index + 1), '--config-file', stackFile, ...args.slice(index + 1)];
}

/** Whether it is a command that takes a configuration file. */
function takesStackFile(args: string[]): boolean {
  return withConfigFile.has(args.find((argument) => !argument.startsWith('-')) ?? '');
}

/**
 * Runs pulumi on a stack of the local cloud, with the caller's terminal; resolves with its exit code. Commands
 * that accept a configuration file create a missing stack, so that secrets can be set before the first update.
 */
export async function runUserPulumi(instance: Instance, args: string[]): Promise<number> {
  const { choice, rest } = splitStackChoice(args);
  const stack = locateStack(instance, choice);
  checkCommitted(instance, stack);
  const run = requireServing(instance);
  if (!stackExists(instance, stack.name) && !takesStackFile(rest)) {
    throw new VisibleError(
      `There is no stack ${stack.name} in the local cloud yet.`,
      `Run \`${upCommand(stack)}\` first.`,
    );
  }
  const toolchain = openInstanceToolchain(instance);
  const context = await pulumiContext(instance, run, toolchain, stack);
  // A stack file may reference them.
  await toolchain.charts(instance.chartsDir);
  installPlugins(instance);
  await prepareStack(context);
  // The terminal sends Ctrl-C to pulumi as well, and this process waits for it.
  const ignore = (): void => undefined;
  process.on('SIGINT', ignore);
  try {
    return await new Promise<number>((resolve, reject) => {
      const child = spawn(context.pulumi, withStackFile(rest, stack.file), {
        cwd: instance.projectRoot,
        env: { ...process.env, ...context.env },
        stdio: 'inherit',
      });
      child.once('error', reject);
      child.once('close', (code) => resolve(code ?? 1));
    });
  } finally {
    process.off('SIGINT', ignore);
  }
}
