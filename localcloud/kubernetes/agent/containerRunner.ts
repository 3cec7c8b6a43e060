import { setTimeout as delay } from 'node:timers/promises';
import type { Container, ContainerStatus, RestartPolicy } from '../api/types';
import { previousLog, rotateLog, tailLog } from '../process/log';
import type { Exit, RunningProcess, RunOptions } from '../process/run';
import { run } from '../process/run';
import type { ContainerView } from './containerStatus';
import { waiting } from './containerStatus';
import type { PodEvent } from './events';
import type { PortMap } from './portMap';
import type { ProbeAction } from './probes';
import { probeAction, watchProbe } from './probes';
import { backoffMs, recoveredAfterMs, restarts } from './restart';
import { reason } from '../../logger';

export interface ContainerRunnerOptions {
  container: Container;
  restartPolicy: RestartPolicy;
  ports: Pick<PortMap, 'hostPort'>;
  /**
   * Called before every start, because Secrets and ConfigMaps may have changed. Undefined: the container has no process.
   */
  launch: (() => Promise<RunOptions>) | undefined;
  /** See ImageEntry. */
  restartsItself: boolean;
  /** True if a container without a process succeeds at once, as a Job's does under kwok. */
  completesAtOnce: boolean;
  /** The container's status from an earlier run of the daemon. */
  before: ContainerStatus | undefined;
  onChange: () => void;
  record: (event: PodEvent) => void;
  warn: (message: string) => void;
}

/** Exit code that is reported for a container whose exit the agent missed; the same as a kubelet's. */
const lostExitCode = 137;

/** Runs one container: starts, probes and restarts it, and tracks its status. */
export class ContainerRunner {
  readonly view: ContainerView;
  private current: RunningProcess | undefined;
  private restartsInARow = 0;
  /** Set when a liveness or startup probe failed, so that the process is stopped and restarted. */
  private probeFailed = false;

  constructor(private readonly options: ContainerRunnerOptions) {
    const { container, before } = options;
    this.view = {
      name: container.name,
      image: container.image,
      state: waiting('ContainerCreating'),
      restartCount: before?.restartCount ?? 0,
      started: false,
      ready: false,
    };
    if (before?.state.terminated) this.view.state = before.state;
    else if (before?.state.running) {
      const { startedAt } = before.state.running;
      const finishedAt = timestamp();
      this.view.state = {
        terminated: { exitCode: lostExitCode, reason: 'ContainerStatusUnknown', startedAt, finishedAt },
      };
    }
  }

  /**
   * Resolves when the container has ended and its restart policy allows no restart, or when `signal` aborts.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { launch, restartPolicy } = this.options;
    const ended = () => this.view.state.terminated;
    let first = ended() === undefined;
    const over = () => signal.aborted;
    while (!over()) {
      const last = ended();
      if (last && !restarts(restartPolicy, last.exitCode)) return;
      if (!first) {
        if (!(last?.exitCode === 0 && this.options.restartsItself)) await this.backOff(signal);
        this.view.restartCount += 1;
      }
      first = false;
      if (over()) return;
      if (launch) await this.runOnce(launch, signal);
      else await this.pretend(signal);
    }
  }

  /** Reports why the container cannot start yet. */
  wait(reason: string, message?: string): void {
    if (this.view.state.terminated) return;
    const state = waiting(reason, message);
    if (JSON.stringify(state) === JSON.stringify(this.view.state)) return;
    this.change({ state });
  }

  async stop(graceMs: number): Promise<void> {
    await this.current?.stop(graceMs);
  }

  /** Log of the run before, by the container's log; undefined before the first restart. */
  previousLog(logFile: string): string | undefined {
    const { state, lastState } = this.view;
    // Until the next run begins, the log is that of the run that ended.
    return lastState && (state.waiting ? logFile : previousLog(logFile));
  }

  get pid(): number | undefined {
    return this.current?.pid;
  }

  private change(changes: Partial<ContainerView>): void {
    Object.assign(this.view, changes);
    this.options.onChange();
  }

  private async backOff(signal: AbortSignal): Promise<void> {
    const ms = backoffMs(this.restartsInARow);
    this.restartsInARow += 1;
    if (ms === 0) return;
    const message = `back-off ${ms / 1000}s restarting failed container=${this.view.name}`;
    this.change({ lastState: this.view.state, state: waiting('CrashLoopBackOff', message) });
    const event = `Back-off restarting failed container ${this.view.name}`;
    this.options.record({ type: 'Warning', reason: 'BackOff', message: event });
    await delay(ms, undefined, { signal }).catch(() => undefined);
  }

  /** Reports the container as running without a process, as kwok would. */
  private async pretend(signal: AbortSignal): Promise<void> {
    const startedAt = timestamp();
    if (this.options.completesAtOnce) {
      const terminated = { exitCode: 0, reason: 'Completed', startedAt, finishedAt: startedAt };
      this.change({ state: { terminated } });
      return;
    }
    this.change({ state: { running: { startedAt } }, started: true, ready: true });
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  }

  private async runOnce(launch: () => Promise<RunOptions>, signal: AbortSignal): Promise<void> {
    let options: RunOptions;
    try {
      options = await launch();
    } catch (error) {
      if (signal.aborted) return;
      const message = reason(error);
      this.options.warn(`container ${this.view.name} cannot be started: ${message}`);
      this.end({ code: 128 }, timestamp(), 'ContainerCannotRun', message);
      return;
    }
    if (signal.aborted) return;
    rotateLog(options.logFile);
    const process = run(options);
    this.current = process;
    this.probeFailed = false;
    const startedAt = timestamp(process.startedAt);
    const { startupProbe, readinessProbe } = this.options.container;
    const lastState = this.view.state.terminated ? { lastState: this.view.state } : {};
    this.change({
      ...lastState,
      state: { running: { startedAt } },
      started: !startupProbe,
      ready: !startupProbe && !readinessProbe,
    });
    const probing = new AbortController();
    const probes = this.probe(process, AbortSignal.any([probing.signal, signal]));
    const exit = await process.exited;
    probing.abort();
    await probes;
    this.current = undefined;
    if (Date.now() - process.startedAt.getTime() > recoveredAfterMs) this.restartsInARow = 0;
    const failed =
      exit.code !== 0 && this.options.container.terminationMessagePolicy === 'FallbackToLogsOnError';
    this.end(exit, startedAt, undefined, failed ? tailLog(options.logFile, 80, 2048) : undefined);
  }

  private end(exit: Exit, startedAt: string, givenReason?: string, message?: string): void {
    // A process that exits with 0 after a failed liveness probe has still failed.
    const exitCode = this.probeFailed && exit.code === 0 ? lostExitCode : exit.code;
    const reason = givenReason ?? (exitCode === 0 ? 'Completed' : 'Error');
    const finishedAt = timestamp();
    this.change({
      state: { terminated: { exitCode, reason, startedAt, finishedAt, ...(message ? { message } : {}) } },
      started: false,
      ready: false,
    });
  }

  private async probe(process: RunningProcess, signal: AbortSignal): Promise<void> {
    const { startupProbe, readinessProbe, livenessProbe } = this.options.container;
    // Reasons and texts are a kubelet's (kubernetes/kubernetes pkg/kubelet/prober and pkg/kubelet/kuberuntime).
    const onFailure = (kind: string) => (failure: string) =>
      this.options.record({
        type: 'Warning',
        reason: 'Unhealthy',
        message: `${kind} probe failed: ${failure}`,
      });
    const unhealthy = (kind: string) => () => {
      this.options.warn(`container ${this.view.name}: ${kind} probe failed, restarting the process`);
      const message = `Container ${this.view.name} failed ${kind} probe, will be restarted`;
      this.options.record({ type: 'Normal', reason: 'Killing', message });
      this.probeFailed = true;
      void process.stop(10_000);
    };
    if (startupProbe) {
      const started = new AbortController();
      await watchProbe(
        startupProbe,
        this.action('startup', startupProbe),
        {
          initially: false,
          eager: true,
          onFailure: onFailure('Startup'),
          onVerdict: (ok) => {
            if (ok) this.change({ started: true, ready: !readinessProbe });
            else unhealthy('startup')();
            started.abort();
          },
        },
        AbortSignal.any([signal, started.signal]),
      );
    }
    const following = [];
    if (readinessProbe)
      following.push(
        watchProbe(
          readinessProbe,
          this.action('readiness', readinessProbe),
          {
            initially: false,
            eager: true,
            onFailure: onFailure('Readiness'),
            onVerdict: (ok) => ok !== this.view.ready && this.change({ ready: ok }),
          },
          signal,
        ),
      );
    if (livenessProbe)
      following.push(
        watchProbe(
          livenessProbe,
          this.action('liveness', livenessProbe),
          {
            initially: true,
            eager: false,
            onFailure: onFailure('Liveness'),
            onVerdict: (ok) => ok || unhealthy('liveness')(),
          },
          signal,
        ),
      );
    await Promise.all(following);
  }

  private action(kind: string, probe: Parameters<typeof probeAction>[0]): ProbeAction {
    const action = probeAction(probe, this.options.ports);
    if (action.kind === 'unsupported')
      this.options.warn(
        `container ${this.view.name}: ${kind} probe counts as passed, because ${action.reason}`,
      );
    return action;
  }
}

function timestamp(time = new Date()): string {
  // Kubernetes' timestamps have no fractions of seconds.
  return time.toISOString().replace(/\.\d+Z$/, 'Z');
}
