import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { clusterPaths } from './controlplane/paths';
import { stopOrphanedProcesses } from './process/orphanedProcesses';

// Commands import this file alone: the runtime loads what makes certificates, which takes a tenth of a second.

/**
 * Stops the processes that a killed daemon left running, for all clusters in `stateDir`.
 *
 * @returns names of the stopped processes
 */
export async function stopOrphanedClusters(stateDir: string): Promise<string[]> {
  const ids = await readdir(stateDir).catch(() => []);
  const stopped = await Promise.all(
    ids.map((id) => stopOrphanedProcesses(clusterPaths(path.join(stateDir, id)).pids)),
  );
  return stopped.flat();
}
