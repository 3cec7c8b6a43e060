import { spawn } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';

/** How a child process ended. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** The Node processes that this host started; they end with it. */
export class Children {
  private readonly running = new Map<ChildProcess, Promise<Exit>>();

  /** Starts Node. Options of Node come first. */
  start(args: string[], options: SpawnOptions): { process: ChildProcess; exit: Promise<Exit> } {
    const child = spawn(process.execPath, args, options);
    const exit = new Promise<Exit>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => {
        this.running.delete(child);
        resolve({ code, signal });
      });
    });
    this.running.set(child, exit);
    return { process: child, exit };
  }

  /** Resolves when all have ended. Otherwise init would collect them, and their processor time would be lost. */
  async stopAll(): Promise<void> {
    const exits = [...this.running].map(([child, exit]) => {
      child.kill('SIGTERM');
      return exit;
    });
    await Promise.allSettled(exits);
  }
}
