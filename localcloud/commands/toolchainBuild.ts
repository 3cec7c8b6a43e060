import type { Instance } from '../daemon/instance';
import { Interrupted } from '../toolchain';
import type { BuildListener, BuildPlan, Toolchain } from '../toolchain';
import { openInstanceToolchain } from './context';
import { interrupted } from './exitCodes';

/** Milliseconds between lines of a log, and between updates of a redrawn line. */
const logEveryMs = 30_000;
const redrawEveryMs = 1000;

type BuildOptions = Parameters<Toolchain['build']>[1];

/** Builds missing tools and shows the progress. Prints nothing if nothing is missing. */
export async function buildToolchain(
  toolchain: Pick<Toolchain, 'build'>,
  options?: BuildOptions,
): Promise<void> {
  const display = process.stdout.isTTY ? terminalDisplay(process.stdout) : logDisplay(process.stdout);
  try {
    await toolchain.build(display, options);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    throw interrupted();
  } finally {
    display.end();
  }
}

/** Builds missing tools, and writes the charts to the folder that stack files reference. */
export async function provideToolchain(instance: Instance, options?: BuildOptions): Promise<Toolchain> {
  const toolchain = openInstanceToolchain(instance);
  await buildToolchain(toolchain, options);
  await toolchain.charts(instance.chartsDir);
  return toolchain;
}

/** Returns a text that describes the planned build: its tools, time, disk and memory. */
export function renderPlan(plan: BuildPlan): string {
  const { tools, minutes, processors, diskBytes, freeBytes, memoryBytes } = plan;
  const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(bytes < 10e9 ? 1 : 0)} GB`;
  if (tools.length === 0) return 'The charts will be packaged, once.';
  return [
    `These programs will be compiled, once, from their vendors' Go modules: ${tools.join(', ')}.`,
    `This takes about ${minutes} min on an idle machine with ${processors} processor${processors === 1 ? '' : 's'}, less if Go's caches are filled.`,
    `It needs ${gigabytes(diskBytes)} of disk (${gigabytes(freeBytes)} are free) and ${gigabytes(memoryBytes)} of memory.`,
  ].join('\n');
}

/** The stream to which a display writes. */
interface Output {
  write: (text: string) => unknown;
  /** Width of the terminal, in characters. */
  columns?: number;
}

type Display = BuildListener & { end: () => void };

/** One line that is redrawn each second, below the plan. Exported for tests. */
export function terminalDisplay(output: Output, now?: () => number): Display {
  const erase = '\r\x1b[K';
  return display(
    output,
    redrawEveryMs,
    (line) => erase + line.slice(0, (output.columns ?? 80) - 1),
    erase,
    now,
  );
}

/** A new line every 30 seconds, below the plan. Exported for tests. */
export function logDisplay(output: Output, now?: () => number): Display {
  return display(output, logEveryMs, (line) => `${line}\n`, '', now);
}

/** Writes the plan; then lines with the elapsed time, at most one per `everyMs`; then `end`, if there were lines. */
function display(
  output: Output,
  everyMs: number,
  written: (line: string) => string,
  end: string,
  now: () => number = () => performance.now(),
): Display {
  const started = now();
  let last: number | undefined;
  let shown = false;
  return {
    plan: (plan) => {
      output.write(`${renderPlan(plan)}\n`);
      last = now();
    },
    progress: (line) => {
      const time = now();
      if (last !== undefined && time - last < everyMs) return;
      last = time;
      shown = true;
      output.write(written(`${renderElapsed((time - started) / 1000).padStart(6)} ${line}`));
    },
    end: () => {
      if (shown && end !== '') output.write(end);
    },
  };
}

/** Returns minutes and seconds, such as `0:07` or `12:30`. */
function renderElapsed(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
}
