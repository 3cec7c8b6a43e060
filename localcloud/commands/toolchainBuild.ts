import { Listr } from 'listr2';
import type { Instance } from '../daemon/instance';
import { renderElapsed, renderProgress } from '../toolchain';
import type { BuildListener, BuildPlan, Toolchain } from '../toolchain';
import { openInstanceToolchain } from './context';

/** Between lines of a log (ms). */
const logEveryMs = 30_000;

/**
 * The toolchain, whole, with the charts where stacks look for them. Builds what is missing and shows how far it is; says
 * nothing where nothing is missing.
 */
export async function provideToolchain(instance: Instance): Promise<Toolchain> {
  const toolchain = openInstanceToolchain(instance);
  await (process.stdout.isTTY ? onTerminal(toolchain) : inLog(toolchain, print));
  await toolchain.charts(instance.chartsDir);
  return toolchain;
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** What is about to be done, what it takes here, and that it is done once. */
export function renderPlan({
  tools,
  minutes,
  processors,
  diskBytes,
  freeBytes,
  memoryBytes,
}: BuildPlan): string {
  const gigabytes = (bytes: number): string => `${Math.max(1, Math.round(bytes / 1e9))} GB`;
  return [
    `To be compiled, once, from their vendors' Go modules: ${tools.join(', ')}.`,
    `This takes about ${minutes} min with ${processors} processor${processors === 1 ? '' : 's'} and nothing else to do, less where Go's`,
    `caches help; ${gigabytes(diskBytes)} of disk (${gigabytes(freeBytes)} are free) and ${gigabytes(memoryBytes)} of memory.`,
  ].join('\n');
}

/** Redrawn in place; the plan stays above it. */
async function onTerminal(toolchain: Pick<Toolchain, 'build'>): Promise<void> {
  const title = 'Toolchain';
  const list = new Listr(
    {
      title,
      task: async (_context, task) => {
        const started = performance.now();
        const show = (line: string): void => {
          task.title = `${title} ${renderElapsed((performance.now() - started) / 1000)}`;
          task.output = line;
        };
        await toolchain.build({
          plan: (plan) => print(renderPlan(plan)),
          progress: (progress) => show(renderProgress(progress)),
          waiting: (line) => show(renderWaiting(line)),
        });
      },
    },
    { registerSignalListeners: false, rendererOptions: { collapseErrors: false } },
  );
  await list.run();
}

/** A line every half minute, and one when all is there. */
async function inLog(toolchain: Pick<Toolchain, 'build'>, write: (line: string) => void): Promise<void> {
  const log = new BuildLog(write);
  await toolchain.build(log);
  log.end();
}

/** Turns the progress of a build into lines for a log. Exported for tests. */
export class BuildLog implements BuildListener {
  private readonly started: number;
  private last: number | undefined;

  constructor(
    private readonly write: (line: string) => void,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.started = now();
  }

  readonly plan = (plan: BuildPlan): void => {
    this.write(renderPlan(plan));
    this.last = this.now();
  };
  readonly progress: BuildListener['progress'] = (progress) => this.line(renderProgress(progress));
  readonly waiting: BuildListener['waiting'] = (line) => this.line(renderWaiting(line));

  end(): void {
    if (this.last !== undefined) this.write(`${this.elapsed()} the toolchain is complete`);
  }

  private line(text: string): void {
    if (this.last !== undefined && this.now() - this.last < logEveryMs) return;
    this.last = this.now();
    this.write(`${this.elapsed()} ${text}`);
  }

  private elapsed(): string {
    return renderElapsed((this.now() - this.started) / 1000).padStart(6);
  }
}

function renderWaiting(line: string): string {
  return `another process builds the toolchain${line === '' ? '' : `: ${line}`}`;
}
