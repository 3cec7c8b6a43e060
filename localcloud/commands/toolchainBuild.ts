import type { Instance } from '../daemon/instance';
import { renderElapsed, renderProgress, ToolchainError } from '../toolchain';
import type { BuildListener, BuildPlan, Toolchain } from '../toolchain';
import { openInstanceToolchain } from './context';
import { VisibleError } from './visibleError';

/** Milliseconds between lines of a log, and between updates of a redrawn line. */
const logEveryMs = 30_000;
const redrawEveryMs = 1000;

/** Builds missing tools and shows the progress. Prints nothing if nothing is missing. */
export async function buildToolchain(
  toolchain: Pick<Toolchain, 'build'>,
  options?: { readonly tests?: boolean },
): Promise<void> {
  const display = process.stdout.isTTY ? terminalDisplay(process.stdout) : logDisplay(process.stdout);
  try {
    await toolchain.build(display, options);
  } catch (error) {
    if (!(error instanceof ToolchainError) || error.problem !== 'interrupted') throw error;
    throw new VisibleError('Interrupted.', 'Run the command again: it continues where it was.', 130);
  } finally {
    display.end();
  }
}

/** The whole toolchain, with the charts in the folder that stack files reference. */
export async function provideToolchain(
  instance: Instance,
  options?: { readonly tests?: boolean },
): Promise<Toolchain> {
  const toolchain = openInstanceToolchain(instance);
  await buildToolchain(toolchain, options);
  await toolchain.charts(instance.chartsDir);
  return toolchain;
}

/** The planned build: its tools and its cost. */
export function renderPlan(plan: BuildPlan): string {
  const { tools, minutes, processors, diskBytes, freeBytes, memoryBytes } = plan;
  const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(bytes < 10e9 ? 1 : 0)} GB`;
  if (tools.length === 0) return 'To be packaged, once: the charts.';
  return [
    `To be compiled, once, from their vendors' Go modules: ${tools.join(', ')}.`,
    `This takes about ${minutes} min with ${processors} processor${processors === 1 ? '' : 's'} and nothing else to do, less where Go's`,
    `caches help; ${gigabytes(diskBytes)} of disk (${gigabytes(freeBytes)} are free) and ${gigabytes(memoryBytes)} of memory.`,
  ].join('\n');
}

/** Where a display writes. */
interface Output {
  write: (text: string) => unknown;
  /** Width of a terminal. */
  columns?: number;
}

type Display = BuildListener & { end: () => void };

/** One line that is redrawn each second, below the plan. Exported for tests. */
export function terminalDisplay(output: Output, now?: () => number): Display {
  const erase = '\r\x1b[K';
  const lines = new TimedLines(
    redrawEveryMs,
    (line) => output.write(erase + line.slice(0, (output.columns ?? 80) - 1)),
    now,
  );
  return display(lines, output, () => output.write(erase));
}

/** A line each half minute. Exported for tests. */
export function logDisplay(output: Output, now?: () => number): Display {
  const lines = new TimedLines(logEveryMs, (line) => output.write(`${line}\n`), now);
  return display(lines, output, () => undefined);
}

function display(lines: TimedLines, output: Output, close: () => void): Display {
  return {
    plan: (plan) => {
      output.write(`${renderPlan(plan)}\n`);
      lines.begin();
    },
    progress: (progress) => lines.show(renderProgress(progress)),
    waiting: (line) => lines.show(`another process builds the toolchain${line === '' ? '' : `: ${line}`}`),
    end: () => {
      if (lines.shown) close();
    },
  };
}

/** Lines with the elapsed time, at a limited rate. */
class TimedLines {
  /** Whether anything was written. */
  shown = false;
  private readonly started: number;
  private last: number | undefined;

  constructor(
    private readonly everyMs: number,
    private readonly write: (line: string) => void,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.started = now();
  }

  /** Resets the rate limit after other output. */
  begin(): void {
    this.last = this.now();
  }

  show(text: string): void {
    const now = this.now();
    if (this.last !== undefined && now - this.last < this.everyMs) return;
    this.last = now;
    this.shown = true;
    this.write(`${renderElapsed((now - this.started) / 1000).padStart(6)} ${text}`);
  }
}
