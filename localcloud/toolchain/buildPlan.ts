import { statfs } from 'node:fs/promises';
import os from 'node:os';
import { UserError } from '../userError';
import type { Tool, GoModule } from './tools';
import { recipes } from './tools';
import { variable } from '../project';

/** The estimated cost of a build. */
export interface BuildPlan {
  tools: readonly Tool[];
  /** Minutes on this machine if it is idle and Go's caches are empty. */
  minutes: number;
  processors: number;
  /** Bytes on disk for Go's caches and the toolchain's, and free bytes there. */
  diskBytes: number;
  freeBytes: number;
  memoryBytes: number;
}

/**
 * Cost of each module with empty caches, in the order of `buildOrder`, measured on two cores (AMD64, Go 1.26).
 * Used only for the estimate.
 */
const costs: Readonly<
  Record<GoModule, { cpuSeconds: number; downloadMegabytes: number; diskBytes: number }>
> = {
  core: { cpuSeconds: 785, downloadMegabytes: 290, diskBytes: 6.2e9 },
  'workload-identity-webhook': { cpuSeconds: 13, downloadMegabytes: 5, diskBytes: 0.2e9 },
  'cert-manager': { cpuSeconds: 34, downloadMegabytes: 15, diskBytes: 0.5e9 },
  'secrets-store': { cpuSeconds: 11, downloadMegabytes: 10, diskBytes: 0.2e9 },
  'azure-service-operator': { cpuSeconds: 110, downloadMegabytes: 40, diskBytes: 1.3e9 },
  hypershift: { cpuSeconds: 20, downloadMegabytes: 40, diskBytes: 0.4e9 },
  'pod-identity': { cpuSeconds: 150, downloadMegabytes: 120, diskBytes: 1.2e9 },
  jobset: { cpuSeconds: 5, downloadMegabytes: 2, diskBytes: 0.1e9 },
};
/** Bytes of memory for two compilers of the largest packages at the same time. */
const memoryBytes = 4e9;
/** Seconds that more processors do not shorten: downloads, and linking the last program. */
const serialSeconds = 60;
/** Bytes that must be free even if Go's caches are filled. */
const leastBytes = 1e9;

/** Estimates a build of these tools. */
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

/** Returns the size of Go's downloads for these tools with an empty module cache, in megabytes. */
export function expectedMegabytes(tools: readonly Tool[]): number {
  return modulesOf(tools).reduce((total, name) => total + costs[name].downloadMegabytes, 0);
}

/** Refuses a build that would fill the disk. */
export function requireSpace({ diskBytes, freeBytes }: BuildPlan, cacheFolder: string): void {
  if (freeBytes >= Math.min(leastBytes, diskBytes)) return;
  const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0);
  throw new UserError(
    `Only ${megabytes(freeBytes)} MB are free on the disk of ${cacheFolder}; this build needs about ${megabytes(diskBytes)} MB, ` +
      `including Go's caches. Free some space, or point ${variable('CACHE')}, GOCACHE and GOMODCACHE at another disk.`,
  );
}

function modulesOf(tools: readonly Tool[]): GoModule[] {
  return [...new Set(tools.map((tool) => recipes[tool].module))];
}
