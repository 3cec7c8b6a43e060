import { spawn } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';

/** How a child process ended. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** The Node processes that this host started; they end with it. */
export class Children {
  private readonly running = new Set<ChildProcess>();

  /** Starts Node. Options of Node come first. */
  start(args: string[], options: SpawnOptions): { process: ChildProcess; exit: Promise<Exit> } {
    const child = spawn(process.execPath, args, options);
    this.running.add(child);
    const exit = new Promise<Exit>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => {
        this.running.delete(child);
        resolve({ code, signal });
      });
    });
    return { process: child, exit };
  }

  stopAll(): void {
    for (const child of this.running) child.kill('SIGTERM');
  }
}
