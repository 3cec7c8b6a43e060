import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import { locateInstance, type Instance } from '../daemon/instance';
import { stackExists } from './backendFiles';
import { ownCommand } from './ownCommand';
import { DEFAULT_STACK, locateStack, PULUMI_COMMAND, pulumiCommand } from './localStack';
import type { LocalOptions, Product } from './product';
import { optionOf, stackOf } from './stackArgument';

/** Returns the deployed stack that a command of the product reads. */
function selectedStack(product: Product, args: string[]): string | undefined {
  return (product.commands[args[0] ?? '']?.stack ?? stackOf)(args, optionOf);
}

/** Adds `--local` and `--no-local` to the commands that can run against either cloud. */
export function addLocalOptions(program: Command, product: Product): void {
  for (const command of program.commands) {
    if (!Object.hasOwn(product.commands, command.name())) continue;
    command
      .option('--local', 'use the local cloud (default for the stack local, and for stacks deployed there)')
      .option('--no-local', 'use Azure, even if the local cloud has a stack of that name');
  }
}

/** Tells whether a command is for the local cloud: by option, or because the stack is `local` or was deployed there. */
export function meansLocal(product: Product, args: string[], deployed: (stack: string) => boolean): boolean {
  const stack = selectedStack(product, args);
  if (!Object.hasOwn(product.commands, args[0] ?? '') || stack === undefined || args.includes('--help'))
    return false;
  const choice = args.findLast((argument) => argument === '--local' || argument === '--no-local');
  return choice === undefined ? stack === DEFAULT_STACK || deployed(stack) : choice === '--local';
}

/**
 * Runs a command that is for the local cloud in a new process with the local cloud's environment, because Node reads
 * NODE_EXTRA_CA_CERTS only at start. Resolves with the exit code, or with undefined if this process can run the
 * command itself.
 */
export async function runInLocalEnvironment(
  args: string[],
  { projectRoot, product }: Pick<LocalOptions, 'projectRoot' | 'product'>,
): Promise<number | undefined> {
  const instance = locateInstance(projectRoot);
  setCommandName(instance, product, args);
  if (!meansLocal(product, args, (stack) => stackExists(instance, stack))) return undefined;
  const stack = locateStack(instance, {
    stack: selectedStack(product, args),
    ...(product.commands[args[0] ?? '']?.writes === true && {
      stackFile: optionOf(args, '--file', '--stack-file'),
    }),
  });
  const { commandEnvironment } = await import('./commandEnvironment.ts');
  const env = await commandEnvironment(instance, stack, args[0] ?? '', product);
  if (Object.entries(env).every(([name, value]) => process.env[name] === value)) return undefined;
  if (stack.name !== DEFAULT_STACK && !args.includes('--local') && !args.includes('--quiet')) {
    process.stderr.write(`note: using stack ${stack.name} of the local cloud; use --no-local for Azure.\n`);
  }
  return new Promise<number>((resolve, reject) => {
    const child = spawn(process.execPath, ownCommand(...args), {
      env: { ...process.env, ...env },
      stdio: 'inherit',
    });
    const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
    process.on('SIGTERM', forward);
    process.on('SIGINT', () => undefined);
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

function setCommandName(instance: Instance, product: Product, args: string[]): void {
  const name = stackOf(args);
  if (!product.showPulumi.includes(args[0] ?? '') || name === undefined || args.includes('--no-local'))
    return;
  if (name === DEFAULT_STACK || stackExists(instance, name))
    process.env[PULUMI_COMMAND] = pulumiCommand({ name });
}
