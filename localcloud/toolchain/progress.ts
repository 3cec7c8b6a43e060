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
  private readonly shown = new Map<Tool, { event: ToolchainEvent; phase: ToolchainPhase; at: number }>();

  constructor(private readonly listener: ProgressListener | undefined) {}

  report(tool: Tool, phase: ToolchainPhase, detail?: string): void {
    const now = performance.now();
    const before = this.shown.get(tool);
    if (before !== undefined && order[phase] < order[before.phase]) return;
    if (before?.phase === phase && now - before.at < minimumGapMs) return;
    const seconds = (now - this.started) / 1000;
    const event = detail === undefined ? { tool, phase, seconds } : { tool, phase, seconds, detail };
    this.shown.set(tool, { event, phase, at: now });
    this.listener?.(event);
  }

  /** The last step of a tool, if it was asked for. */
  latest(tool: Tool): ToolchainEvent | undefined {
    return this.shown.get(tool)?.event;
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
