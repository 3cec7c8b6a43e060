import { access, constants, mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { writeWhole } from '../writeWhole';
import { commandLine, variable } from '../project';
import { pruneUnused } from './binaryCache';
import { buildModules } from './build';
import { withBuildLock } from './buildLock';
import { BuildMonitor } from './buildMonitor';
import type { BuildPlan } from './buildPlan';
import { expectedMegabytes, planBuild, requireSpace } from './buildPlan';
import { goFlags } from './cacheKey';
import type { ChartCache } from './charts';
import { chartsAreWhole, fillChartCache } from './charts';
import type { CompiledTools } from './compiledTools';
import { Downloads } from './downloads';
import { UserError } from '../userError';
import { checkGo, goEnvironment } from './goCommand';
import { go } from './goPackages';
import { fetchChartModules } from './packageCharts';
import { renderProgress } from './progress';
import type { Tool } from './tools';
import { buildOrder, recipes } from './tools';

/** Receives the progress of a build. */
export interface BuildListener {
  /** Called once, before anything is downloaded or compiled. */
  plan: (plan: BuildPlan) => void;
  /** Called with the progress: every second, or more often while another process builds. */
  progress: (line: string) => void;
}

export interface BuildMissingOptions {
  compiled: CompiledTools;
  cacheFolder: string;
  charts: ChartCache;
  /** Environment in which Go is searched for and run. */
  env: NodeJS.ProcessEnv;
  listener: Partial<BuildListener>;
  /** Returns the tools that must be built, in any order. */
  missing: () => Promise<readonly Tool[]>;
  /** Returns the path of helm. Called only when no tool is missing any more. */
  helm: () => Promise<string>;
}

/** Name of the file in the cache with the progress of the process that builds. */
const progressFile = 'building.txt';
const everyMs = 1000;

/** Builds missing tools and charts, or waits for another process that builds them. */
export async function buildMissing(options: BuildMissingOptions): Promise<void> {
  const { cacheFolder, charts, listener, missing } = options;
  const isDone = async () => (await missing()).length === 0 && (await chartsAreWhole(charts.folder));
  if (await isDone()) return;
  await requireWritable(cacheFolder, await missing());
  const progressPath = path.join(cacheFolder, progressFile);
  const onWait = async () => {
    const progress = await readFile(progressPath, 'utf8').catch(() => '');
    listener.progress?.(`another process is building the toolchain${progress === '' ? '' : `: ${progress}`}`);
  };
  await withBuildLock(cacheFolder, { isDone, onWait }, () => build(options, progressPath));
}

async function build(options: BuildMissingOptions, progressPath: string): Promise<void> {
  const { cacheFolder, charts, compiled, env, helm, listener, missing } = options;
  const tools = await missing();
  const plan = await planBuild(tools, cacheFolder);
  listener.plan?.(plan);
  requireSpace(plan, cacheFolder);
  const { goMod, folder } = await compiled.pinned('core');
  const { selfUpgrade } = await checkGo(goMod, env);
  const place = { cwd: folder, goMod, env: goEnvironment(env, goFlags, selfUpgrade) };
  const downloads = new Downloads((await go("Reading Go's settings", ['env', 'GOMODCACHE'], place)).trim());
  const needsCharts = !(await chartsAreWhole(charts.folder));
  const monitor = new BuildMonitor(tools, downloads, expectedMegabytes(tools));
  const over = new AbortController();
  const reports = reportRegularly(monitor, listener, progressPath, over.signal);
  try {
    await buildModules(await inBuildOrder(tools, compiled), {
      ...{ cacheFolder, monitor, env: place.env },
      onFetchLine: downloads.line,
      fetchLast: async (signal) => {
        if (needsCharts) await fetchChartModules(charts.pins, { ...place, signal });
      },
    });
    if (needsCharts) await fillChartCache(charts, await helm(), place);
    const modules = await Promise.all(buildOrder.map((name) => compiled.pinned(name)));
    const inUse = [path.basename(charts.folder), ...modules.map(({ cacheName }) => cacheName)];
    await pruneUnused(cacheFolder, new Set(inUse));
  } finally {
    over.abort();
    await reports;
    await rm(progressPath, { force: true });
  }
}

async function inBuildOrder(tools: readonly Tool[], compiled: CompiledTools) {
  const builds = [];
  for (const name of buildOrder) {
    const ofModule = tools.filter((tool) => recipes[tool].module === name);
    if (ofModule.length > 0) builds.push({ module: await compiled.pinned(name), tools: ofModule });
  }
  return builds;
}

/**
 * Reports progress to the listener and, through a file, to other processes. A failure to report does not abort
 * the build.
 */
async function reportRegularly(
  monitor: BuildMonitor,
  listener: Partial<BuildListener>,
  progressPath: string,
  over: AbortSignal,
): Promise<void> {
  while (!over.aborted) {
    try {
      const line = renderProgress(await monitor.progress());
      listener.progress?.(line);
      writeWhole(progressPath, line, 0o644);
    } catch {
      // The next report may succeed.
    }
    await pause(everyMs, undefined, { signal: over }).catch(() => undefined);
  }
}

async function requireWritable(cacheFolder: string, tools: readonly Tool[]): Promise<void> {
  try {
    await mkdir(cacheFolder, { recursive: true });
    await access(cacheFolder, constants.W_OK);
  } catch (error) {
    throw new UserError(
      `${cacheFolder} is not writable, and it lacks ${tools.length === 0 ? 'the charts' : tools.join(', ')}. Fill it as a user who ` +
        `can write to it (${commandLine('toolchain build')}), or point ${variable('CACHE')} at a writable folder. ` +
        `${commandLine('toolchain')} shows why each program is missing.`,
      undefined,
      { cause: error },
    );
  }
}
