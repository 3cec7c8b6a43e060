import { spawn } from 'node:child_process';
import type { Instance } from '../daemon/instance';
import { stackExists } from './backendState';
import { requireServing } from './cloud';
import { openInstanceToolchain, pulumiContext } from './context';
import { installPlugins } from './plugins';
import { checkCommitted, prepareStack } from './stack';
import { VisibleError } from './visibleError';

/** Commands that take `--config-file` (pulumi 3.257 pkg/cmd/pulumi). */
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

/** The arguments with the stack's own configuration file, where the command takes one and none is given. */
export function withStackFile(args: string[], stackFile: string): string[] {
  const index = args.findIndex((argument) => !argument.startsWith('-'));
  const command = args[index];
  if (command === undefined || !withConfigFile.has(command)) return args;
  if (args.some((argument) => argument === '--config-file' || argument.startsWith('--config-file=')))
    return args;
  return [...args.slice(0, index + 1), '--config-file', stackFile, ...args.slice(index + 1)];
}

/** Runs pulumi on stack `local` with the caller's terminal; resolves with its exit code. */
export async function runUserPulumi(instance: Instance, args: string[]): Promise<number> {
  checkCommitted(instance);
  const run = requireServing(instance);
  if (!stackExists(instance)) throw new VisibleError('There is no stack yet.', 'Run `make up` first.');
  const context = await pulumiContext(instance, run, openInstanceToolchain(instance));
  installPlugins(instance);
  await prepareStack(context);
  // The terminal sends Ctrl-C to pulumi as well; this process only waits for it.
  const ignore = (): void => undefined;
  process.on('SIGINT', ignore);
  try {
    return await new Promise<number>((resolve, reject) => {
      const child = spawn(context.pulumi, withStackFile(args, instance.stackFile), {
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
