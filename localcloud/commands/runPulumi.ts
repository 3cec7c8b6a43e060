import { spawn } from 'node:child_process';
import type { Instance } from '../daemon/instance';
import { readServing } from '../daemon/runFile';
import { logFile } from './cloud';
import type { LocalStack } from './localStack';
import { VisibleError } from './visibleError';

/** Set in an engine that changes the stack, so that one which outlived its command is found. */
export const ENGINE_VARIABLE = 'AKS_WI_ENGINE';

/** The engine with the environment of the local cloud. */
export interface PulumiContext {
  instance: Instance;
  stack: LocalStack;
  /** Executable. */
  pulumi: string;
  env: Record<string, string>;
}

/**
 * Runs a short command and gives what it wrote; `input` goes to its standard input. It has a session of its
 * own: an interrupt is the user's word to this command, which stops after the step (see `streamPulumi`).
 */
export function capturePulumi(
  { pulumi, env, instance }: PulumiContext,
  args: string[],
  options: { cwd?: string; input?: string } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(pulumi, args, {
      cwd: options.cwd ?? instance.projectRoot,
      env: { ...process.env, ...env },
      detached: true,
      stdio: 'pipe',
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) {
        resolve(Buffer.concat(stdout).toString('utf8'));
        return;
      }
      const told = Buffer.concat(stderr)
        .toString('utf8')
        .trim()
        .replace(/^error: /, '');
      reject(
        new VisibleError(
          `pulumi ${args.slice(0, 2).join(' ')} failed: ${told || `exit code ${code ?? 'of a signal'}`}`,
          'Correct it and run the command again.',
        ),
      );
    });
    // The engine may end before it has read what it does not want.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input ?? '');
  });
}

/**
 * Runs a long command with its output shown. The engine gets a session of its own, because a terminal sends
 * Ctrl-C to every process and a second one kills the engine while it waits for what it began: it gets
 * exactly one interrupt for each that this command got, and writes down what it finished. It is interrupted
 * too when the local cloud ends, because its plugins would wait for pods that nobody runs any more.
 * Resolves with the exit code.
 */
export async function streamPulumi(
  { pulumi, env, instance }: PulumiContext,
  args: string[],
): Promise<number> {
  const child = spawn(pulumi, args, {
    cwd: instance.projectRoot,
    env: { ...process.env, ...env, [ENGINE_VARIABLE]: instance.folder },
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const interrupts = { count: 0 };
  const cloud = { lost: false };
  const watch = setInterval(() => {
    if (cloud.lost || readServing(instance.runFile) !== undefined) return;
    cloud.lost = true;
    child.kill('SIGINT');
  }, 1000);
  const forward = (): void => {
    interrupts.count += 1;
    child.kill('SIGINT');
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, forward);
  try {
    const code = await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (status) => resolve(status ?? 1));
    });
    if (cloud.lost) {
      throw new VisibleError(
        'The local cloud ended while pulumi was at work.',
        `Run the command again: it starts the local cloud and continues. Its log: ${logFile(instance)}`,
      );
    }
    if (interrupts.count > 0) {
      throw new VisibleError('Interrupted.', 'Run the command again: it continues where it was.', 130);
    }
    return code;
  } finally {
    clearInterval(watch);
    for (const signal of signals) process.off(signal, forward);
    endGroup(child.pid);
  }
}

/** Plugins of an engine that was killed outlive it for a moment. */
function endGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, 'SIGTERM');
  } catch {
    // None is left: the usual case.
  }
}
