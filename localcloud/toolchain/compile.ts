import { mkdir, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { findBinary, keepBinary, openStaging, pruneUnused } from './binaryCache';
import { goFlags, linkFlags } from './cacheKey';
import type { PinnedModule } from './cacheKey';
import { generateDefinitions } from './definitions';
import { ToolchainError } from './errors';
import { checkGo, goEnvironment, runGo } from './goCommand';
import { goFailure } from './goFailure';
import type { ProgressReporter } from './progress';
import type { CompiledTool } from './tools';
import { recipes } from './tools';

/** The least that a build of the rest can need; a cold one takes about 8 GB of Go's own caches and ours. */
const neededBytes = 2 * 1024 ** 3;

/**
 * Compiles tools of one module by one `go build` and puts them into the cache. Call it with the build lock held.
 * Whatever interrupts it, the cache holds whole binaries only, and Go's own cache keeps what was compiled.
 */
export async function compile(
  tools: readonly CompiledTool[],
  module: PinnedModule,
  cacheFolder: string,
  progress: ProgressReporter,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const folder = path.join(cacheFolder, module.cacheName);
  await mkdir(folder, { recursive: true });
  await requireSpace(folder);
  const { selfUpgrade } = await checkGo(module.goMod, env);
  const goEnv = goEnvironment(env, goFlags, selfUpgrade);
  const staging = await openStaging(folder);
  try {
    for (const tool of tools) progress.report(tool, 'downloading', 'checking modules');
    const output = await runGo(buildArguments(tools, module, staging), {
      cwd: module.folder,
      env: goEnv,
      onStderrLine: new GoProgress(tools, progress).line,
    });
    if (output.exitCode !== 0) throw goFailure(`Building ${tools.join(', ')}`, output, module.goMod);
    for (const tool of tools) {
      const { definitions } = recipes[tool];
      // Before the binary, whose presence says that all of it is there.
      if (definitions !== undefined) {
        progress.report(tool, 'linking', 'generating custom resource definitions');
        await generateDefinitions(definitions, { module, staging, folder, env: goEnv });
      }
      await keepBinary(path.join(staging, recipes[tool].builtAs ?? tool), folder, tool);
      if ((await findBinary(folder, tool)) === undefined) {
        throw new ToolchainError(
          'compile-failed',
          `Building ${tool}: Go reported success, but the binary is not executable.`,
        );
      }
    }
    await pruneUnused(cacheFolder);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Arguments of `go build`: one output folder, and each main package with its own link flags. */
export function buildArguments(
  tools: readonly CompiledTool[],
  module: PinnedModule,
  staging: string,
): string[] {
  const packages = tools.map((tool) => recipes[tool].package);
  const generators = tools.flatMap((tool) => recipes[tool].definitions?.generator ?? []);
  const flags = tools.map((tool) => `-ldflags=${recipes[tool].package}=${linkFlags(tool, module.goMod)}`);
  return ['build', '-v', ...flags, '-o', staging + path.sep, ...packages, ...generators];
}

async function requireSpace(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= neededBytes) return;
  throw new ToolchainError(
    'no-disk-space',
    `Only ${((bavail * bsize) / 1024 ** 2).toFixed(0)} MB are free where ${folder} lies; the toolchain needs about 8 GB ` +
      "the first time (Go's caches included). Free some, or point AKS_WI_CACHE, GOCACHE and GOMODCACHE at another disk.",
  );
}

/** Reads `go build -v`: it names each module it downloads and each package when it begins to compile it. */
class GoProgress {
  private compiled = 0;

  constructor(
    private readonly tools: readonly CompiledTool[],
    private readonly progress: ProgressReporter,
  ) {}

  readonly line = (line: string): void => {
    const module = /^go: downloading (\S+) (\S+)/.exec(line);
    if (module !== null) {
      this.all('downloading', `${module[1]} ${module[2]}`);
      return;
    }
    if (!/^[\w.\-/~]+$/.test(line)) return;
    this.compiled += 1;
    const main = this.tools.find((tool) => isMainPackage(tool, line));
    // A main package is compiled last of all, in no time; what follows is the linker, which says nothing.
    if (main !== undefined) this.progress.report(main, 'linking');
    else this.all('compiling', `${this.compiled} packages`);
  };

  private all(phase: 'downloading' | 'compiling', detail: string): void {
    for (const tool of this.tools) this.progress.report(tool, phase, detail);
  }
}

function isMainPackage(tool: CompiledTool, importPath: string): boolean {
  const { package: main, builtAs } = recipes[tool];
  return main === '.' ? path.basename(importPath) === (builtAs ?? tool) : main === importPath;
}
