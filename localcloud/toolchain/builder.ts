import { readFile, rename, rm, statfs, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { buildModules } from './build';
import { withBuildLock } from './buildLock';
import { BuildMonitor } from './buildMonitor';
import type { CompiledTools } from './compiledTools';
import { Downloads } from './downloads';
import { ToolchainError } from './errors';
import { checkGo, moduleCacheFolder } from './goCommand';
import type { BuildProgress } from './progress';
import { renderProgress } from './progress';
import type { CompiledTool } from './tools';
import { buildOrder, fullBuild, recipes } from './tools';

/** What a build is about to do, as far as it can be told before. */
export interface BuildPlan {
  tools: readonly CompiledTool[];
  /** Minutes of an idle machine with so many processors, where Go's caches are empty. */
  minutes: number;
  processors: number;
  /** What it takes of disk, for Go's caches and ours, and what is free (bytes). */
  diskBytes: number;
  freeBytes: number;
  /** What the largest link takes (bytes). */
  memoryBytes: number;
}

/** Told while the toolchain is built. */
export interface BuildListener {
  /** Once, before anything is fetched or compiled. */
  plan: (plan: BuildPlan) => void;
  /** Every second. */
  progress: (progress: BuildProgress) => void;
  /** Every second while another process builds: what that one is at, if it says so. */
  waiting: (line: string) => void;
}

export interface BuilderOptions {
  compiled: CompiledTools;
  cacheFolder: string;
  env: NodeJS.ProcessEnv;
  listener: Partial<BuildListener>;
  /** Those of the tools that are to be had in no other way, in any order. */
  missing: () => Promise<readonly CompiledTool[]>;
}

/** The file of the cache that says how far the process is that builds. */
const progressFile = 'building.txt';
const everyMs = 1000;
/** What has to be free for a build that Go's caches help: the binaries, and room to link. */
const leastBytes = 2e9;

/** Builds what is missing, or waits for the process that is building it. */
export async function buildMissing(options: BuilderOptions): Promise<void> {
  const { cacheFolder, listener, missing } = options;
  const said = path.join(cacheFolder, progressFile);
  await withBuildLock(
    cacheFolder,
    {
      isDone: async () => (await missing()).length === 0,
      onWait: async () => {
        listener.waiting?.(await readFile(said, 'utf8').catch(() => ''));
      },
    },
    async () => {
      try {
        await build(await missing(), said, options);
      } finally {
        await rm(said, { force: true });
      }
    },
  );
}

async function build(
  tools: readonly CompiledTool[],
  said: string,
  { cacheFolder, compiled, env, listener }: BuilderOptions,
): Promise<void> {
  const plan = await planOf(tools, cacheFolder);
  listener.plan?.(plan);
  if (plan.freeBytes < leastBytes) {
    throw new ToolchainError(
      'no-disk-space',
      `Only ${megabytes(plan.freeBytes)} MB are free where ${cacheFolder} lies; this build needs about ${megabytes(plan.diskBytes)} MB, ` +
        "Go's caches included. Free some, or point AKS_WI_CACHE, GOCACHE and GOMODCACHE at another disk.",
    );
  }
  await checkGo((await compiled.pinned('core')).goMod, env);
  const downloads = new Downloads(await moduleCacheFolder(env));
  const monitor = new BuildMonitor(tools, downloads, fullBuild.downloadMegabytes);
  const report = async () => {
    const progress = await monitor.progress();
    listener.progress?.(progress);
    await writeFile(`${said}.new`, renderProgress(progress));
    await rename(`${said}.new`, said);
  };
  await report();
  // What is told of a build must not end it.
  const timer = setInterval(() => void report().catch(() => undefined), everyMs);
  try {
    const builds = [];
    for (const name of buildOrder) {
      const ofModule = tools.filter((tool) => recipes[tool].module === name);
      if (ofModule.length > 0) builds.push({ module: await compiled.pinned(name), tools: ofModule });
    }
    await buildModules(builds, { cacheFolder, monitor, downloads, env });
  } finally {
    clearInterval(timer);
  }
}

async function planOf(tools: readonly CompiledTool[], cacheFolder: string): Promise<BuildPlan> {
  const modules = buildOrder.filter((name) => tools.some((tool) => recipes[tool].module === name));
  const share = modules.reduce((sum, name) => sum + fullBuild.cpuSeconds[name], 0) / fullCpuSeconds;
  const processors = os.availableParallelism();
  const { bavail, bsize } = await statfs(cacheFolder);
  return {
    tools,
    minutes: Math.max(1, Math.round((share * fullCpuSeconds) / processors / 60)),
    processors,
    diskBytes: share * fullBuild.diskBytes,
    freeBytes: bavail * bsize,
    memoryBytes: fullBuild.memoryBytes,
  };
}

const fullCpuSeconds = Object.values(fullBuild.cpuSeconds).reduce((sum, seconds) => sum + seconds, 0);
const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0);
