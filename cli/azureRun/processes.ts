import { spawn, type ChildProcess } from 'node:child_process';

/**
 * Runs the steps of a run as processes. The first interrupt reaches the running step once, so that Pulumi records what it
 * finished; steps that remove things are not interrupted.
 */
export class Processes {
  private interrupted = false;
  private current: ChildProcess | undefined;
  private readonly signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  private readonly interrupt = (): void => {
    if (this.interrupted) return;
    this.interrupted = true;
    this.onInterrupt();
    this.current?.kill('SIGINT');
  };

  constructor(private readonly onInterrupt: () => void) {
    for (const signal of this.signals) process.on(signal, this.interrupt);
  }

  wasInterrupted(): boolean {
    return this.interrupted;
  }

  dispose(): void {
    for (const signal of this.signals) process.off(signal, this.interrupt);
  }

  /**
   * Runs a program to its end and returns its exit code. Its output goes to standard error, because the report is the result.
   *
   * @param removes true for a step that an interrupt does not end, and that runs after one
   */
  run(
    [file = '', ...args]: readonly string[],
    options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly removes?: boolean },
  ): Promise<number> {
    const { cwd, env, removes = false } = options;
    if (this.interrupted && !removes) return Promise.resolve(130);
    return new Promise((resolve, reject) => {
      // In its own process group, because a terminal sends Ctrl-C to a whole group.
      const child = spawn(file, args, { cwd, env, detached: true, stdio: ['ignore', 2, 2] });
      if (!removes) this.current = child;
      child.once('error', reject);
      child.once('close', (code) => {
        this.current = undefined;
        resolve(code ?? 1);
      });
    });
  }
}
