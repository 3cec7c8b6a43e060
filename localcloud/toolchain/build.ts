import { rm } from 'node:fs/promises';
import path from 'node:path';
import { keepBinary, openStaging } from './binaryCache';
import type { BuildMonitor } from './buildMonitor';
import { goFlags, linkFlags } from './cacheKey';
import type { PinnedModule } from './cacheKey';
import { generateDefinitions } from './definitions';
import type { Downloads } from './downloads';
import { checkGo, goEnvironment } from './goCommand';
import type { GoPlace } from './goPackages';
import { countStale, fetchModules, fetchPackages, go } from './goPackages';
import { prepareOperatorSources } from './operatorSources';
import { writePulumiLaunchers } from './pulumiLaunchers';
import type { CompiledTool } from './tools';
import { recipes } from './tools';

/** What is missing of one Go module. */
export interface ModuleBuild {
  readonly module: PinnedModule;
  readonly tools: readonly CompiledTool[];
}

export interface BuildOptions {
  readonly cacheFolder: string;
  readonly monitor: BuildMonitor;
  readonly downloads: Downloads;
  readonly env: NodeJS.ProcessEnv;
}

/** A module's build with where it happens. */
interface Job extends ModuleBuild {
  /** Folder of the cache that its binaries end in. */
  readonly folder: string;
  /** Folder that they are built in. */
  readonly staging: string;
  /** The main module's folder. */
  readonly place: GoPlace;
  /** API groups that the operator is compiled with. */
  readonly groups?: readonly string[];
}

/**
 * Builds all of it, one module after the other: modules share most packages, and two compilations at once would compile
 * them twice. Two things do not wait: what later ones need is fetched while earlier ones compile, and the next one
 * compiles while the last one links, which keeps one core busy at most. Call it with the build lock held. Whatever
 * interrupts it, the cache holds whole binaries only, and Go's own cache keeps what was compiled.
 */
export async function buildModules(builds: readonly ModuleBuild[], options: BuildOptions): Promise<void> {
  const abort = new AbortController();
  const jobs: Job[] = [];
  let fetches: Promise<void>[] = [];
  const finished: Promise<void>[] = [];
  try {
    for (const build of builds) jobs.push(await openJob(build, options, abort.signal));
    fetches = inOrder(jobs, fetchJob);
    for (const [index, job] of jobs.entries()) {
      await fetches[index];
      const { compiled, whole } = await startJob(job, options.monitor);
      // Who waits for it is told; until then nobody may be listening.
      whole.catch(() => undefined);
      finished.push(whole);
      await Promise.race([compiled, Promise.all(finished)]);
    }
    await Promise.all(finished);
  } finally {
    abort.abort();
    await Promise.allSettled([...fetches, ...finished]);
    for (const { staging } of jobs) await rm(staging, { recursive: true, force: true });
  }
}

/** Does the work for one after the other, and gives a promise for each. A failure ends those that come after it. */
function inOrder<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void>[] {
  let before: Promise<void> = Promise.resolve();
  return items.map((item) => {
    before = before.then(() => work(item));
    // Who waits for it is told; until then nobody may be listening.
    before.catch(() => undefined);
    return before;
  });
}

async function openJob(
  { module, tools }: ModuleBuild,
  { cacheFolder, downloads, env }: BuildOptions,
  signal: AbortSignal,
): Promise<Job> {
  const folder = path.join(cacheFolder, module.cacheName);
  const { selfUpgrade } = await checkGo(module.goMod, env);
  const staging = await openStaging(folder);
  const groups = tools.map((tool) => recipes[tool].groups).find((wanted) => wanted !== undefined);
  const place: GoPlace = {
    cwd: groups === undefined ? module.folder : path.join(staging, 'sources'),
    goMod: module.goMod,
    env: goEnvironment(env, goFlags, selfUpgrade),
    signal,
    onStderrLine: downloads.line,
  };
  return { module, tools, folder, staging, place, ...(groups !== undefined && { groups }) };
}

async function fetchJob({ module, tools, place, groups }: Job): Promise<void> {
  if (groups !== undefined) {
    const releases = tools.map((tool) => recipes[tool].release);
    const folders = await fetchModules(`Fetching ${releases.join(', ')}`, releases, {
      ...place,
      cwd: module.folder,
    });
    for (const from of folders.values())
      await prepareOperatorSources({ ours: module.folder, module: from, groups, into: place.cwd });
  }
  await fetchPackages([...packagesOf(tools), ...generatorsOf(tools)], place);
}

/** Compiles a module's tools; resolves when that has begun. */
async function startJob(
  job: Job,
  monitor: BuildMonitor,
): Promise<{ compiled: Promise<void>; whole: Promise<void> }> {
  const { tools, place, staging, module } = job;
  const generators = generatorsOf(tools);
  const step = monitor.begin(tools, await countStale([...packagesOf(tools), ...generators], place));
  const watched = { ...place, onStderrLine: step.line };
  const what = `Building ${tools.join(', ')}`;
  const built = (async () => {
    try {
      if (generators.length > 0)
        await go(what, ['build', '-v', '-o', staging + path.sep, ...generators], watched);
      await go(what, buildArguments(tools, module, staging), watched);
    } finally {
      step.end();
    }
  })();
  // While the operator links, which keeps one core busy.
  const defined = step.compiled.then(() => makeDefinitions(job));
  return { compiled: step.compiled, whole: Promise.all([built, defined]).then(() => keep(job)) };
}

/** Arguments of `go build`: one output folder, and each main package with its own link flags. */
export function buildArguments(
  tools: readonly CompiledTool[],
  module: PinnedModule,
  staging: string,
): string[] {
  const flags = tools.map((tool) => `-ldflags=${recipes[tool].package}=${linkFlags(tool, module.goMod)}`);
  return ['build', '-v', ...flags, '-o', staging + path.sep, ...packagesOf(tools)];
}

const packagesOf = (tools: readonly CompiledTool[]): string[] => tools.map((tool) => recipes[tool].package);

const generatorsOf = (tools: readonly CompiledTool[]): string[] =>
  tools.flatMap((tool) => recipes[tool].definitions?.generator ?? []);

/** Custom resource definitions, where a tool's image carries some. Go's error, if it ended with one, is the one that is told. */
async function makeDefinitions({ tools, module, folder, staging, place }: Job): Promise<void> {
  for (const tool of tools) {
    const { definitions } = recipes[tool];
    if (definitions === undefined) continue;
    await generateDefinitions(definitions, { module, staging, folder, env: place.env });
  }
}

/** Moves what was built to its place in the cache; the binary last, since its presence says that all of it is there. */
async function keep({ tools, folder, staging }: Job): Promise<void> {
  for (const tool of tools) {
    if (tool === 'pulumi') await writePulumiLaunchers(folder);
    await keepBinary(path.join(staging, recipes[tool].builtAs ?? tool), folder, tool);
  }
}
