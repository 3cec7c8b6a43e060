import path from 'node:path';
import type { Downloads } from './downloads';
import type { BuildProgress } from './progress';
import type { CompiledTool } from './tools';
import { recipes } from './tools';

/** One `go build` while it runs. */
export interface BuildStep {
  /** Takes a line of `go build -v`, which names each package when it begins to compile it. */
  readonly line: (line: string) => void;
  /** Resolves when every package was begun, or Go has ended: what is left is the linker, which says nothing. */
  readonly compiled: Promise<void>;
  /** Says that Go has ended. */
  readonly end: () => void;
}

interface Running {
  readonly tools: readonly CompiledTool[];
  readonly of: number;
  packages: number;
  /** Tools whose main package is not compiled yet; it comes last. */
  readonly compiling: Set<CompiledTool>;
}

/** Follows the builds of a toolchain. */
export class BuildMonitor {
  private readonly started = performance.now();
  private readonly running = new Set<Running>();

  /**
   * @param waiting all tools that are to be built
   * @param expectedMegabytes what Go fetches for them where its module cache is empty
   */
  constructor(
    private waiting: readonly CompiledTool[],
    private readonly downloads: Downloads,
    private readonly expectedMegabytes: number,
  ) {}

  /** @param of packages that Go's cache lacks */
  begin(tools: readonly CompiledTool[], of: number): BuildStep {
    this.waiting = this.waiting.filter((tool) => !tools.includes(tool));
    const step: Running = { tools, of, packages: 0, compiling: new Set(tools) };
    this.running.add(step);
    let compiled = (): void => undefined;
    const isCompiled = new Promise<void>((resolve) => (compiled = resolve));
    return {
      line: (line) => {
        if (!/^[\w.\-/~]+$/.test(line)) return;
        step.packages += 1;
        for (const tool of step.compiling) if (isMainPackage(tool, line)) step.compiling.delete(tool);
        if (step.compiling.size === 0) compiled();
      },
      compiled: isCompiled,
      end: () => {
        this.running.delete(step);
        compiled();
      },
    };
  }

  async progress(): Promise<BuildProgress> {
    const steps = [...this.running];
    const compiling = steps.find(isCompiling);
    const megabytes = await this.downloads.megabytes();
    return {
      seconds: (performance.now() - this.started) / 1000,
      ...(compiling !== undefined && { compiling }),
      linking: steps.flatMap((step) => (isCompiling(step) ? [] : step.tools)),
      ...(megabytes !== undefined && { downloads: { megabytes, of: this.expectedMegabytes } }),
      next: this.waiting,
    };
  }
}

const isCompiling = ({ compiling, packages, of }: Running): boolean => compiling.size > 0 && packages < of;

function isMainPackage(tool: CompiledTool, importPath: string): boolean {
  const { package: main, builtAs } = recipes[tool];
  return main === '.' ? path.basename(importPath) === (builtAs ?? tool) : main === importPath;
}
