import type { Downloads } from './downloads';
import type { BuildProgress } from './progress';
import type { Tool } from './tools';

/** The build of one module while it runs. */
export interface BuildStep {
  /** Takes a line of `go build -v`, which names each package when it begins to compile it. */
  readonly line: (line: string) => void;
  /** Resolves when the last package was begun: the rest is the linker's, which says nothing. */
  readonly compiled: Promise<void>;
  /** Says that Go has ended. */
  readonly end: () => void;
}

interface Running {
  readonly tools: readonly Tool[];
  readonly of: number;
  packages: number;
}

/** Follows the builds of a toolchain. */
export class BuildMonitor {
  private readonly running = new Set<Running>();

  /**
   * @param waiting all tools that are to be built
   * @param expectedMegabytes what Go fetches for them where its module cache is empty
   */
  constructor(
    private waiting: readonly Tool[],
    private readonly downloads: Downloads,
    private readonly expectedMegabytes: number,
  ) {}

  /** @param of packages that Go's cache lacks, without the main packages, which come last and take no time */
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
