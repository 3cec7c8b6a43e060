import type { Downloads } from './downloads';
import type { BuildProgress } from './progress';
import type { Tool } from './tools';

/** The running build of one module. */
export interface BuildStep {
  /** Takes a line of `go build -v`, which names the package that Go starts to compile. */
  readonly line: (line: string) => void;
  /** Resolves when Go has started to compile the last package. Linking follows, which has no output. */
  readonly compiled: Promise<void>;
  /** Called when Go has ended. */
  readonly end: () => void;
}

interface Running {
  readonly tools: readonly Tool[];
  readonly of: number;
  packages: number;
}

/** Tracks the progress of builds. */
export class BuildMonitor {
  private readonly running = new Set<Running>();

  /**
   * @param waiting all tools to build
   * @param expectedMegabytes size of Go's downloads with an empty module cache
   */
  constructor(
    private waiting: readonly Tool[],
    private readonly downloads: Downloads,
    private readonly expectedMegabytes: number,
  ) {}

  /** @param of number of packages to compile, without the main packages, which come last and take almost no time */
  begin(tools: readonly Tool[], of: number): BuildStep {
    this.waiting = this.waiting.filter((tool) => !tools.includes(tool));
    const step: Running = { tools, of, packages: 0 };
    this.running.add(step);
    let resolve = (): void => undefined;
    const compiled = new Promise<void>((resolved) => (resolve = resolved));
    if (of === 0) resolve();
    return {
      line: (line) => {
        if (/^[\w.\-/~]+$/.test(line)) step.packages += 1;
        if (!isCompiling(step)) resolve();
      },
      compiled,
      end: () => {
        this.running.delete(step);
      },
    };
  }

  async progress(): Promise<BuildProgress> {
    const steps = [...this.running];
    const compiling = steps.find(isCompiling);
    const megabytes = await this.downloads.megabytes();
    return {
      ...(compiling !== undefined && { compiling }),
      linking: steps.flatMap((step) => (isCompiling(step) ? [] : step.tools)),
      ...(megabytes !== undefined && { downloads: { megabytes, of: this.expectedMegabytes } }),
      next: this.waiting,
    };
  }
}

const isCompiling = ({ packages, of }: Running): boolean => packages < of;
