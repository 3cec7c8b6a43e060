import { existsSync } from 'node:fs';
import { copyFile, cp, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { Instance } from '../../daemon/instance';
import { clusterPaths } from '../../kubernetes/controlplane/paths';
import { writeWhole } from '../../writeWhole';
import { takePort } from '../../kubernetes/ports';
import type { Toolchain } from '../../toolchain';
import { stackNames } from '../backendFiles';
import { pulumiContext } from '../context';
import { locateStack } from '../localStack';
import { capturePulumi } from '../runPulumi';

const recorded = z.object({ apiServer: z.int() });

type Place = Pick<Instance, 'folder' | 'clustersDir'>;

/**
 * Chooses the addresses of the staged clusters. A cluster that also exists in the replaced state keeps its address from
 * there, so that kubeconfigs stay valid. Every other cluster gets a new address, because another local cloud may use the
 * saved one.
 *
 * @returns the new port of each API server whose port changes, by its saved port
 */
export async function assignAddresses(staged: Place, replaced: Place): Promise<Map<number, number>> {
  const changes = new Map<number, number>();
  for (const name of ['kubeconfigs', 'azure/ports.json']) {
    const [from, to] = [path.join(replaced.folder, name), path.join(staged.folder, name)];
    if (existsSync(from)) await cp(from, to, { recursive: true });
  }
  for (const id of await readdir(staged.clustersDir).catch(() => [])) {
    const file = portsFile(staged, id);
    const saved = await apiServerPort(file);
    if ((await apiServerPort(portsFile(replaced, id))) !== undefined)
      await copyFile(portsFile(replaced, id), file);
    else writeWhole(file, JSON.stringify({ apiServer: await takePort() }));
    const assigned = await apiServerPort(file);
    if (saved !== undefined && assigned !== undefined && saved !== assigned) changes.set(saved, assigned);
  }
  return changes;
}

/**
 * Writes the new addresses of clusters into the stacks. Otherwise the kubeconfigs in the stacks could reach the local
 * cloud that was saved, which has the same keys. The kubeconfigs are secrets, so only the engine can read them.
 */
export async function rewriteStacks(
  staged: Instance,
  toolchain: Pick<Toolchain, 'require'>,
  changes: ReadonlyMap<number, number>,
): Promise<void> {
  if (changes.size === 0) return;
  for (const name of stackNames(staged)) {
    const stack = locateStack(staged, { stack: name });
    // No command here needs the local cloud.
    const context = await pulumiContext(staged, { proxyPort: 0 }, toolchain, stack);
    const text = await capturePulumi(context, ['stack', 'export', '--show-secrets', '--stack', name]);
    const input = withAddresses(text, changes);
    if (input !== text) await capturePulumi(context, ['stack', 'import', '--stack', name], { input });
  }
  // Pulumi's home now contains paths of the staged folder.
  await rm(staged.pulumiHome, { recursive: true, force: true });
}

/** Returns the text with new ports in the addresses of API servers; exported for tests. */
export function withAddresses(text: string, changes: ReadonlyMap<number, number>): string {
  return text.replace(/(https:\/\/127\.0\.0\.1:)(\d+)/g, (address, host: string, port: string) => {
    const changed = changes.get(Number(port));
    return changed === undefined ? address : `${host}${changed}`;
  });
}

const portsFile = ({ clustersDir }: Place, id: string): string =>
  clusterPaths(path.join(clustersDir, id)).ports;

async function apiServerPort(file: string): Promise<number | undefined> {
  try {
    return recorded.parse(JSON.parse(await readFile(file, 'utf8'))).apiServer;
  } catch {
    // The file is missing or incomplete: the next start chooses ports.
    return undefined;
  }
}
