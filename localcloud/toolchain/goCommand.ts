import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { isOlder } from '../isOlder';
import { UserError } from '../userError';
import { goDirective } from './goMod';

/** The first version of Go that can download a newer one: https://go.dev/doc/toolchain */
const firstSelfUpgrading = [1, 21] as const;

export interface GoOutput {
  /** Go's whole standard error, for error messages. */
  stderr: string;
  stdout: string;
  exitCode: number | null;
  interrupted: boolean;
}

/**
 * Returns Go's environment. It keeps the user's proxies and private modules, and overrides what affects the binaries.
 * `selfUpgrade` lets an older Go download the version in go.mod, which some distributions disable by default.
 */
export function goEnvironment(
  env: NodeJS.ProcessEnv,
  flags: string,
  selfUpgrade: boolean,
): NodeJS.ProcessEnv {
  const { GOOS: _os, GOARCH: _arch, GOEXPERIMENT: _experiment, ...kept } = env;
  return {
    ...kept,
    CGO_ENABLED: '0',
    GOFLAGS: flags,
    GOWORK: 'off',
    GO111MODULE: 'on',
    GOTOOLCHAIN: selfUpgrade ? (env['GOTOOLCHAIN'] ?? 'auto') : 'local',
  };
}

/** Refuses a missing or too old Go. Returns whether Go must first download the newer version that go.mod names. */
export async function checkGo(goMod: string, env: NodeJS.ProcessEnv): Promise<{ selfUpgrade: boolean }> {
  const needed = goDirective(goMod);
  const hint =
    `Install Go ${needed} or newer from https://go.dev/dl and put it on PATH. ` +
    'Nothing else is needed: no C compiler, no container engine.';
  let output: GoOutput;
  try {
    output = await runGo(['version'], { env: { ...env, GOTOOLCHAIN: 'local' } });
  } catch (error) {
    throw new UserError(`Go was not found on PATH. ${hint}`, undefined, { cause: error });
  }
  const installed = /\bgo(\d+(?:\.\d+)*)/.exec(output.stdout)?.[1];
  if (output.exitCode !== 0 || installed === undefined) {
    throw new UserError(`\`go version\` failed: ${output.stderr.trim() || output.stdout.trim()}. ${hint}`);
  }
  if (!isOlder(installed, needed)) return { selfUpgrade: false };
  if (isOlder(installed, firstSelfUpgrading.join('.'))) {
    throw new UserError(`Go ${installed} is too old: ${needed} is needed. ${hint}`);
  }
  return { selfUpgrade: true };
}

/**
 * Runs Go in its own process group. Ctrl-C, SIGTERM and `signal` end the whole group, including the compilers. The
 * output then has `interrupted`, and the caller can release its lock.
 */
export async function runGo(
  args: string[],
  options: {
    cwd?: string;
    env: NodeJS.ProcessEnv;
    signal?: AbortSignal;
    onStderrLine?: (line: string) => void;
  },
): Promise<GoOutput> {
  const child = spawn('go', args, {
    cwd: options.cwd,
    env: options.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let interrupted = false;
  const interrupt = () => {
    interrupted = true;
    killGroup(child);
  };
  const leave = () => {
    killGroup(child);
  };
  for (const signal of interruptSignals) process.once(signal, interrupt);
  options.signal?.addEventListener('abort', interrupt);
  if (options.signal?.aborted === true) interrupt();
  process.once('exit', leave);
  try {
    return await new Promise<GoOutput>((resolve, reject) => {
      const stdout: string[] = [];
      const stderr: string[] = [];
      child.once('error', reject);
      child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk.toString()));
      createInterface({ input: child.stderr }).on('line', (line) => {
        stderr.push(line);
        options.onStderrLine?.(line);
      });
      child.once('close', (exitCode) => {
        resolve({ stdout: stdout.join(''), stderr: stderr.join('\n'), exitCode, interrupted });
      });
    });
  } finally {
    for (const signal of interruptSignals) process.removeListener(signal, interrupt);
    options.signal?.removeEventListener('abort', interrupt);
    process.removeListener('exit', leave);
  }
}

const interruptSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null) return;
  try {
    process.kill(-child.pid, 'SIGTERM');
  } catch {
    // The group has already ended.
  }
}
