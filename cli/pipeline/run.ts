import { spawn, type ChildProcess } from 'node:child_process';
import { capture } from '../capture';
import { UserError } from '../userError';

/** Options of `streamed`. */
interface StreamedOptions {
  /** Gets the output. Default: it is shown. */
  readonly onOutput?: (chunk: Buffer, stream: 'stdout' | 'stderr') => void;
}

const running = new Set<ChildProcess>();
let stopped = false;

/** Tells whether this process was asked to end while a program ran. */
export const wasStopped = (): boolean => stopped;

/**
 * Runs a program to its end, with the caller's output. Resolves with its exit code.
 *
 * If this process is asked to end, it waits for the program: an engine that is killed leaves a lock and half-recorded operations.
 * Ctrl-C reaches the program by itself, because the terminal sends it to all processes; a second one would kill the engine.
 */
export function streamed(
  file: string,
  args: readonly string[],
  cwd: string,
  { onOutput }: StreamedOptions = {},
): Promise<number> {
  const out = onOutput === undefined ? 'inherit' : 'pipe';
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, stdio: ['ignore', out, out] });
    if (running.size === 0) for (const signal of stopSignals) process.on(signal, passToAll);
    running.add(child);
    const end = () => {
      running.delete(child);
      if (running.size === 0) for (const signal of stopSignals) process.off(signal, passToAll);
    };
    child.stdout?.on('data', (chunk: Buffer) => onOutput?.(chunk, 'stdout'));
    child.stderr?.on('data', (chunk: Buffer) => onOutput?.(chunk, 'stderr'));
    child.once('error', ({ message }) => {
      end();
      reject(new UserError(`${file} did not start: ${message}.`, 'Install it in a step before this one.'));
    });
    child.once('close', (code) => {
      end();
      resolve(code ?? 1);
    });
  });
}

const stopSignals = ['SIGINT', 'SIGTERM'] as const;

function passToAll(signal: NodeJS.Signals): void {
  stopped = true;
  if (signal !== 'SIGINT') for (const child of running) child.kill(signal);
}

/** Returns the output of git. */
export async function git(cwd: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await capture('git', args, { cwd });
  if (code === 0) return stdout.trim();
  throw new UserError(`git ${args[0] ?? ''} failed: ${stderr.trim() || `exit code ${code}`}`);
}

export const headCommit = (project: string): Promise<string> => git(project, 'rev-parse', 'HEAD');
