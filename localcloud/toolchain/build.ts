import { rm } from 'node:fs/promises';
import path from 'node:path';
import { keepBinary, openStaging } from './binaryCache';
import type { BuildMonitor } from './buildMonitor';
import { linkFlags } from './cacheKey';
import type { PinnedModule } from './cacheKey';
import { copyDefinitions, generateDefinitions } from './definitions';
import type { GoPlace } from './goPackages';
import { countStale, fetchModule, fetchPackages, go } from './goPackages';
import { prepareOperatorSources } from './operatorSources';
import { writePulumiLaunchers } from './pulumiLaunchers';
import type { Tool } from './tools';
import { recipes } from './tools';
import { prepareVendorCopies } from './vendorCopies';

/** The missing tools of one Go module. */
export interface ModuleBuild {
  readonly module: PinnedModule;
  readonly tools: readonly Tool[];
}

export interface BuildOptions {
  readonly cacheFolder: string;
  readonly monitor: BuildMonitor;
  /** Environment of Go. */
  readonly env: NodeJS.ProcessEnv;
  /** Called with each line of Go's output while it downloads. */
  readonly onFetchLine: (line: string) => void;
  /** Downloads what is needed after the build, such as charts. */
  readonly fetchLast: (signal: AbortSignal) => Promise<void>;
}

/** A module's build, with its folders. */
interface Job extends ModuleBuild {
  /** Cache folder for the finished binaries. */
  readonly folder: string;
  /** Folder to build into. */
  readonly staging: string;
  /** Where Go runs: in the folder of the pinned module, or in prepared sources. */
  readonly place: GoPlace;
}

/**
 * Builds all modules. Requires the build lock.
 *
 * Modules are compiled one after the other, because they share most packages. Meanwhile, the modules of later builds
 * are downloaded, and the previous build is linked, which uses one core. The first failure aborts everything. The cache
 * only ever contains complete binaries, and Go's own cache keeps the compiled packages.
 */
export async function buildModules(builds: readonly ModuleBuild[], options: BuildOptions): Promise<void> {
  const abort = new AbortController();
  const jobs: Job[] = [];
  const begun: Promise<unknown>[] = [];
  /** Aborts everything else if the task fails. */
  const watched = <T>(task: Promise<T>): Promise<T> => {
    begun.push(task);
    task.catch((error: unknown) => abort.abort(error));
    return task;
  };
  try {
    for (const build of builds) jobs.push(await openJob(build, options, abort.signal));
    const fetches = oneAfterTheOther([
      ...jobs.map((job) => () => fetchJob(job)),
      () => options.fetchLast(abort.signal),
    ]).map(watched);
    const finished: Promise<void>[] = [];
    for (const [index, job] of jobs.entries()) {
      await fetches[index];
      const packages = [...packagesOf(job.tools), ...generatorsOf(job.tools)];
      const stalePackages = await countStale(packages, job.place);
      const { compiled, whole } = startJob(job, stalePackages, options.monitor, watched);
      finished.push(whole);
      await compiled;
    }
    await Promise.all([...finished, ...fetches]);
  } catch (error) {
    // Tasks that the first failure aborted fail as well, so the first failure is reported.
    throw abort.signal.aborted ? abort.signal.reason : error;
  } finally {
    abort.abort();
    await Promise.allSettled(begun);
    for (const { staging } of jobs) await rm(staging, { recursive: true, force: true });
  }
}

/** Runs tasks one after the other. A failed task fails all later ones. */
function oneAfterTheOther(works: readonly (() => Promise<void>)[]): Promise<void>[] {
  let before: Promise<void> = Promise.resolve();
  return works.map((work) => (before = before.then(work)));
}

async function openJob(
  { module, tools }: ModuleBuild,
  { cacheFolder, env, onFetchLine }: BuildOptions,
  signal: AbortSignal,
): Promise<Job> {
  const folder = path.join(cacheFolder, module.cacheName);
  const staging = await openStaging(folder);
  const place: GoPlace = {
    cwd: preparedOf(tools) === undefined ? module.folder : path.join(staging, 'sources'),
    goMod: module.goMod,
    env,
    signal,
    onStderrLine: onFetchLine,
  };
  return { module, tools, folder, staging, place };
}

/** Returns the recipe of the tool that is compiled from prepared sources: reduced to API groups, or with vendor copies. */
const preparedOf = (tools: readonly Tool[]) =>
  tools
    .map((tool) => recipes[tool])
    .find(({ groups, copies }) => groups !== undefined || copies !== undefined);

async function fetchJob({ module, tools, place }: Job): Promise<void> {
  const prepared = preparedOf(tools);
  if (prepared !== undefined) {
    const { release, groups, copies } = prepared;
    const from = await fetchModule(release, { ...place, cwd: module.folder });
    const sources = { ours: module.folder, release, from, into: place.cwd };
    if (copies !== undefined) await prepareVendorCopies({ ...sources, copies });
    if (groups !== undefined) await prepareOperatorSources({ ...sources, groups });
  }
  await fetchPackages([...packagesOf(tools), ...generatorsOf(tools)], place);
}

/** Compiles and links a module's tools. @param watched aborts everything if the task fails */
function startJob(
  job: Job,
  stalePackages: number,
  monitor: BuildMonitor,
  watched: <T>(task: Promise<T>) => Promise<T>,
): Record<'compiled' | 'whole', Promise<void>> {
  const { tools, place, staging, module } = job;
  const step = monitor.begin(tools, stalePackages);
  const followed = { ...place, onStderrLine: step.line };
  const title = `Building ${tools.join(', ')}`;
  const generated = buildGenerators(generatorsOf(tools), staging, title, followed);
  const built = watched(
    generated.then(() => go(title, buildArguments(tools, module, staging), followed)).finally(step.end),
  );
  const compiled = Promise.race([Promise.all([generated, step.compiled]), built]).then(() => undefined);
  const defined = watched(compiled.then(() => makeDefinitions(job)));
  const whole = watched(Promise.all([defined, built]).then(([files]) => keep(job, files)));
  return { compiled, whole };
}

async function buildGenerators(
  generators: readonly string[],
  staging: string,
  title: string,
  place: GoPlace,
): Promise<void> {
  if (generators.length > 0) await go(title, ['build', '-v', '-o', staging + path.sep, ...generators], place);
}

/** Returns the arguments of `go build`: one output folder, and each main package with its own link flags. */
function buildArguments(tools: readonly Tool[], module: PinnedModule, staging: string): string[] {
  const flags = tools.map((tool) => `-ldflags=${recipes[tool].package}=${linkFlags(tool, module.goMod)}`);
  return ['build', '-v', ...flags, '-o', staging + path.sep, ...packagesOf(tools)];
}

const packagesOf = (tools: readonly Tool[]): string[] => tools.map((tool) => recipes[tool].package);

const generatorsOf = (tools: readonly Tool[]): string[] =>
  tools.flatMap((tool) => recipes[tool].definitions?.generator ?? []);

/**
 * Generates or copies the custom resource definitions of the tools that have any. Returns their files, relative to the
 * folder.
 */
async function makeDefinitions({ tools, module, folder, staging, place }: Job): Promise<string[]> {
  const files: string[] = [];
  for (const tool of tools) {
    const { definitions, files: copied, release } = recipes[tool];
    if (definitions !== undefined)
      files.push(...(await generateDefinitions(definitions, { module, staging, folder, place })));
    if (copied !== undefined) {
      const from = await fetchModule(release, place);
      files.push(...(await copyDefinitions(copied, { module, release, from, folder })));
    }
  }
  return files;
}

/** Moves the built files into the cache. The binary comes last, so that its existence implies that of the others. */
async function keep({ tools, folder, staging }: Job, definitions: string[]): Promise<void> {
  for (const tool of tools) {
    const launchers = tool === 'pulumi' ? await writePulumiLaunchers(folder) : [];
    const { definitions: generated, files } = recipes[tool];
    const beside = generated === undefined && files === undefined ? launchers : definitions;
    await keepBinary(path.join(staging, recipes[tool].builtAs ?? tool), folder, tool, beside);
  }
}
