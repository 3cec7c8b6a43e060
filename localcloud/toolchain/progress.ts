import type { Tool } from './tools';

export type ToolchainPhase = 'queued' | 'downloading' | 'compiling' | 'linking' | 'ready';

/** One step of one tool. Within a tool phases only go forward; `ready` comes once, also from a warm cache. */
export interface ToolchainEvent {
  tool: Tool;
  phase: ToolchainPhase;
  /** Seconds since this tool was asked for. */
  seconds: number;
  /** What is going on, such as the module that is downloaded; absent where there is nothing to add. */
  detail?: string;
}

export type ProgressListener = (event: ToolchainEvent) => void;

/** A listener for logs that are not a terminal: one line when a tool changes its phase, none for warm ones. */
export function plainProgress(writeLine: (line: string) => void): ProgressListener {
  const last = new Map<Tool, ToolchainPhase>();
  return (event) => {
    const before = last.get(event.tool);
    last.set(event.tool, event.phase);
    if (before === event.phase || (event.phase === 'ready' && before === undefined)) return;
    const detail = event.detail === undefined ? '' : ` (${event.detail})`;
    writeLine(`toolchain: ${event.tool}: ${event.phase}${detail}, ${event.seconds.toFixed(0)} s`);
  };
}

/** Gives the events of one or more tools their times, and holds back what a display could not show anyway. */
export class ProgressReporter {
  private readonly started = performance.now();
  private readonly shown = new Map<Tool, { phase: ToolchainPhase; at: number }>();

  constructor(private readonly listener: ProgressListener | undefined) {}

  report(tool: Tool, phase: ToolchainPhase, detail?: string): void {
    if (this.listener === undefined) return;
    const now = performance.now();
    const before = this.shown.get(tool);
    if (before !== undefined && order[phase] < order[before.phase]) return;
    if (before?.phase === phase && now - before.at < minimumGapMs) return;
    this.shown.set(tool, { phase, at: now });
    const seconds = (now - this.started) / 1000;
    this.listener(detail === undefined ? { tool, phase, seconds } : { tool, phase, seconds, detail });
  }
}

const order: Record<ToolchainPhase, number> = {
  queued: 0,
  downloading: 1,
  compiling: 2,
  linking: 3,
  ready: 4,
};
const minimumGapMs = 250;
