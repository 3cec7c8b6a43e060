import { statfs } from 'node:fs/promises';
import os from 'node:os';
import { ToolchainError } from './errors';
import type { Tool, GoModule } from './tools';
import { recipes } from './tools';

/** What a build is about to do, as far as it can be told before. */
export interface BuildPlan {
  tools: readonly Tool[];
  /** Minutes of this machine with nothing else to do, where Go's caches are empty. */
  minutes: number;
  processors: number;
  /** What it takes of disk, for Go's caches and ours, and what is free (bytes). */
  diskBytes: number;
  freeBytes: number;
  /** What it takes of memory (bytes). */
  memoryBytes: number;
}

/**
 * What a module takes where nothing is there, built in the order of `buildOrder`; measured on two cores (AMD64, Go 1.26).
 * For what is announced before a build, and for nothing else.
 */
const costs: Readonly<
  Record<GoModule, { cpuSeconds: number; downloadMegabytes: number; diskBytes: number }>
> = {
  core: { cpuSeconds: 785, downloadMegabytes: 290, diskBytes: 6.2e9 },
  'workload-identity-webhook': { cpuSeconds: 13, downloadMegabytes: 5, diskBytes: 0.2e9 },
  'cert-manager': { cpuSeconds: 34, downloadMegabytes: 15, diskBytes: 0.5e9 },
  'secrets-store': { cpuSeconds: 11, downloadMegabytes: 10, diskBytes: 0.2e9 },
  'azure-service-operator': { cpuSeconds: 110, downloadMegabytes: 40, diskBytes: 1.3e9 },
};
/** Two compilers of the largest packages at once. */
const memoryBytes = 4e9;
/** What more processors do not make shorter: fetching, and linking the last program. */
const serialSeconds = 60;
/** What has to be free for a build that Go's caches help. */
const leastBytes = 1e9;

/** What a build of these tools would take. */
export async function planBuild(tools: readonly Tool[], cacheFolder: string): Promise<BuildPlan> {
  const modules = modulesOf(tools);
  const sum = (cost: 'cpuSeconds' | 'diskBytes') =>
    modules.reduce((total, name) => total + costs[name][cost], 0);
  const processors = os.availableParallelism();
  const { bavail, bsize } = await statfs(cacheFolder);
  return {
    tools,
    minutes: Math.ceil((sum('cpuSeconds') / processors + serialSeconds) / 60),
    processors,
    diskBytes: sum('diskBytes'),
    freeBytes: bavail * bsize,
    memoryBytes,
  };
}

/** What Go fetches for these tools where its module cache is empty. */
export function expectedMegabytes(tools: readonly Tool[]): number {
  return modulesOf(tools).reduce((total, name) => total + costs[name].downloadMegabytes, 0);
}

/** Refuses a build that can only end with a full disk. */
export function requireSpace({ diskBytes, freeBytes }: BuildPlan, cacheFolder: string): void {
  if (freeBytes >= Math.min(leastBytes, diskBytes)) return;
  const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0);
  throw new ToolchainError(
    'no-disk-space',
    `Only ${megabytes(freeBytes)} MB are free where ${cacheFolder} lies; this build needs about ${megabytes(diskBytes)} MB, ` +
      "Go's caches included. Free some, or point AKS_WI_CACHE, GOCACHE and GOMODCACHE at another disk.",
  );
}

function modulesOf(tools: readonly Tool[]): GoModule[] {
  return [...new Set(tools.map((tool) => recipes[tool].module))];
}
