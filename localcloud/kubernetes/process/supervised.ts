import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../logger';
import { tailLog } from './log';
import type { Exit, RunningProcess, RunOptions } from './run';
import { run } from './run';

const firstBackoffMs = 200;
const longestBackoffMs = 10_000;
/** A process that ran at least this long (ms) is restarted without a delay. */
const stableAfterMs = 30_000;
/** After this many exits before it was ready, the process counts as failed. */
const triesUntilReady = 4;

export interface SupervisedStatus {
  name: string;
  pid: number | undefined;
  restarts: number;
}

/** A process that is restarted with growing delays until it is stopped. */
export class SupervisedProcess {
  private current: RunningProcess | undefined;
  private stopping = new AbortController();
  private loop: Promise<void> | undefined;
  private lastExit: Exit | undefined;
  private exits = 0;

  constructor(
    private readonly options: RunOptions,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.stopping = new AbortController();
    this.loop = this.keepRunning(this.stopping.signal);
  }

  status(): SupervisedStatus {
    return { name: this.options.name, pid: this.current?.pid, restarts: this.exits };
  }

  /**
   * Resolves when `check` returns true.
   *
   * @param signal aborts the wait
   * @throws an error with the process, its log file and the log's last lines, if it keeps ending or takes too long
   */
  async ready(check: () => Promise<boolean>, timeoutMs: number, signal: AbortSignal): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    while (!(await check())) {
      signal.throwIfAborted();
      if (this.stopping.signal.aborted)
        throw new Error(`${this.options.name} was stopped before it was ready`);
      if (this.exits >= triesUntilReady)
        throw this.notReady(`ended ${this.exits} times, last with ${this.exit()}`);
      if (Date.now() > deadline) throw this.notReady(`is not ready after ${Math.round(timeoutMs / 1000)} s`);
      await delay(40);
    }
  }

  /** Sends SIGTERM, then SIGKILL after five seconds. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.current?.stop(5000);
    await this.loop;
  }

  private async keepRunning(stopping: AbortSignal): Promise<void> {
    let backoff = 0;
    const over = () => stopping.aborted;
    while (!over()) {
      this.current = run(this.options);
      const exit = await this.current.exited;
      const ranMs = Date.now() - this.current.startedAt.getTime();
      this.current = undefined;
      this.lastExit = exit;
      if (over()) return;
      this.exits += 1;
      backoff =
        ranMs > stableAfterMs || backoff === 0 ? firstBackoffMs : Math.min(backoff * 2, longestBackoffMs);
      this.logger.warn(
        `${this.options.name} ended with ${this.exit()}; restarting it (log: ${this.options.logFile})`,
      );
      await delay(backoff, undefined, { signal: stopping }).catch(() => undefined);
    }
  }

  private exit(): string {
    return this.lastExit?.signal ?? `exit code ${this.lastExit?.code ?? 'unknown'}`;
  }

  private notReady(problem: string): Error {
    const tail = tailLog(this.options.logFile) || '(empty)';
    return new Error(`${this.options.name} ${problem}. Last lines of ${this.options.logFile}:\n${tail}`);
  }
}
