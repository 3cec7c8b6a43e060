import { spawn } from 'node:child_process';
import { closeSync, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { openLog } from './log';
import { removeRecord, writeRecord } from './record';
import { signalGroup } from './signal';

export interface RunOptions {
  /** Unique in `recordFolder`. */
  name: string;
  /** Program and arguments. */
  argv: readonly string[];
  /** The whole environment; nothing is inherited. */
  env: Record<string, string>;
  cwd: string;
  /** File to which stdout and stderr are appended. */
  logFile: string;
  /** Folder for the record of the running process. */
  recordFolder: string;
}

export interface Exit {
  /**
   * Exit code; 128 + number for a signal, as in shells and kubelets; 127 if the program could not be started.
   */
  code: number;
  signal?: NodeJS.Signals;
}

export interface RunningProcess {
  readonly pid: number | undefined;
  readonly startedAt: Date;
  readonly exited: Promise<Exit>;
  signal(signal: NodeJS.Signals): void;
  /** Sends SIGTERM, and SIGKILL after `graceMs` milliseconds; resolves when the process has ended. */
  stop(graceMs: number): Promise<Exit>;
}

const signalNumbers: Partial<Record<NodeJS.Signals, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGABRT: 6,
  SIGKILL: 9,
  SIGSEGV: 11,
  SIGTERM: 15,
};

/** Starts a process in its own process group, so that signals to the daemon's terminal do not reach it. */
export function run(options: RunOptions): RunningProcess {
  const [program, ...args] = options.argv;
  if (program === undefined) throw new Error(`${options.name}: empty command line`);
  const log = openLog(options.logFile);
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: options.env,
    stdio: ['ignore', log, log],
    detached: true,
  });
  if (child.pid !== undefined) writeRecord(options.recordFolder, options.name, child.pid);

  let ended = false;
  const exited = new Promise<Exit>((resolve) => {
    const end = (exit: Exit) => {
      ended = true;
      removeRecord(options.recordFolder, options.name);
      closeSync(log);
      resolve(exit);
    };
    child.once('error', (error) => {
      if (child.pid !== undefined) return;
      writeSync(log, `${program}: cannot be started: ${error.message}\n`);
      end({ code: 127 });
    });
    child.once('exit', (code, signal) => {
      // Remaining processes of its group would keep ports and files open.
      if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
      end(signal ? { code: 128 + (signalNumbers[signal] ?? 0), signal } : { code: code ?? 1 });
    });
  });

  const signal = (name: NodeJS.Signals) => {
    if (!ended && child.pid !== undefined) signalGroup(child.pid, name);
  };
  return {
    pid: child.pid,
    startedAt: new Date(),
    exited,
    signal,
    async stop(graceMs) {
      signal('SIGTERM');
      const timeout = new AbortController();
      const kill = delay(graceMs, undefined, { signal: timeout.signal }).then(
        () => signal('SIGKILL'),
        () => undefined,
      );
      const exit = await exited;
      timeout.abort();
      await kill;
      return exit;
    },
  };
}
