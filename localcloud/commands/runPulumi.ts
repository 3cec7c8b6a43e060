import { spawn } from 'node:child_process';
import type { Instance } from '../daemon/instance';
import { readServing } from '../daemon/runFile';
import { logFile } from './cloud';
import type { LocalStack } from './localStack';
import { UserError } from '../userError';
import { variable } from '../project';
import { interrupted } from './exitCodes';

/** Environment variable that identifies an engine which changes the stack, in case it outlives its command. */
export const ENGINE_VARIABLE = variable('ENGINE');

/** The engine, a stack, and the environment that points the engine at the local cloud. */
export interface PulumiContext {
  instance: Instance;
  stack: LocalStack;
  pulumi: string;
  env: Record<string, string>;
}

/**
 * Runs a short pulumi command and returns its output; `input` goes to its standard input. The command has its own
 * session, so that an interrupt reaches only this process, which stops after the step (see `streamPulumi`).
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
      const message = Buffer.concat(stderr)
        .toString('utf8')
        .trim()
        .replace(/^error: /, '');
      reject(
        new UserError(
          `pulumi ${args.slice(0, 2).join(' ')} failed: ${message || (code === null ? 'killed by a signal' : `exit code ${code}`)}`,
          'Correct it and run the command again.',
        ),
      );
    });
    // The engine may exit before it has read all input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input ?? '');
  });
}

/**
 * Runs a long pulumi command, shows its output, and resolves with its exit code. The engine has its own session,
 * because a terminal would otherwise send each Ctrl-C to it as well, and a second one kills an engine that waits for
 * running operations. This process forwards each of its interrupts to the engine once, and the engine records what it
 * finished. The engine is also interrupted when the local cloud ends, because its plugins would wait for pods forever.
 * Pulumi's automation API gives the engine no session of its own.
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
    const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (...ended) => resolve(ended));
    });
    if (cloud.lost) {
      throw new UserError(
        'The local cloud stopped while pulumi was running.',
        `Run the command again: it starts the local cloud and continues. Its log: ${logFile(instance)}`,
      );
    }
    if (interrupts.count > 0) {
      throw interrupted();
    }
    if (signal !== null) {
      throw new UserError(
        `pulumi was killed (${signal}), perhaps because memory ran out.`,
        'Run the command again: it continues where it was.',
      );
    }
    return code ?? 1;
  } finally {
    clearInterval(watch);
    for (const signal of signals) process.off(signal, forward);
    endGroup(child.pid);
  }
}

/** Ends the engine's process group: plugins of a killed engine outlive it for a moment. */
function endGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, 'SIGTERM');
  } catch {
    // Usually no process of the group is left.
  }
}
