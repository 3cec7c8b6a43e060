import { existsSync, statfsSync } from 'node:fs';
import type { Instance } from '../daemon/instance';
import { tooFewWatchers, type Watchers } from '../kubernetes/watchers';
import { UserError } from '../userError';
import { variable } from '../project';

/** Minimum version of Node. A project may exclude further ones. */
const leastNode = [20, 19] as const;

/** Free disk space that is needed, in MB: twice the size of an environment's state. */
const leastMegabytes = 1000;

/** Refuses a nearly full disk, on which etcd, the engine and its plugins would each fail with an error of their own. */
export function checkSpace(
  { stateRoot, projectRoot }: Pick<Instance, 'stateRoot' | 'projectRoot'>,
  free: (folder: string) => number = freeMegabytes,
): void {
  const folder = existsSync(stateRoot) ? stateRoot : projectRoot;
  const megabytes = free(folder);
  if (megabytes >= leastMegabytes) return;
  throw new UserError(
    `The disk of ${folder} has ${megabytes} MB left; the local cloud needs ${leastMegabytes}.`,
    `Free some space, or set ${variable('STATE')} to a folder on another disk, and run the command again.`,
  );
}

function freeMegabytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return Math.floor((bavail * bsize) / 1e6);
}

/** Refuses a machine with too few free inotify instances for an environment, of which two clusters are usual. */
export function checkWatchers(free?: Watchers): void {
  const { problem, hint } = tooFewWatchers(2, free) ?? {};
  if (problem !== undefined) throw new UserError(problem, hint);
}

/** Refuses machines on which the local cloud cannot run. */
export function checkRequirements(
  node: string = process.versions.node,
  platform: string = process.platform,
): void {
  const [major = 0, minor = 0] = node.split('.').map(Number);
  if (major < leastNode[0] || (major === leastNode[0] && minor < leastNode[1])) {
    throw new UserError(
      `Node ${node} is too old: ${leastNode.join('.')} or newer is needed.`,
      'Install a current version of Node (https://nodejs.org), and run the command again.',
    );
  }
  if (platform !== 'linux') {
    throw new UserError(
      `The local cloud runs on Linux only, and this is ${platform}.`,
      'Run it in a Linux virtual machine or container, on Windows in WSL2. `verify` works everywhere.',
    );
  }
}
