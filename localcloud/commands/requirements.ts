import { existsSync, readdirSync, readFileSync, readlinkSync, statfsSync } from 'node:fs';
import type { Instance } from '../daemon/instance';
import { UserError } from './userError';

/** Minimum version of Node, as in package.json's `engines`. */
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
    'Free some space, or set AKS_WI_STATE to a folder on another disk, and run the command again.',
  );
}

function freeMegabytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return Math.floor((bavail * bsize) / 1e6);
}

/** inotify instances that must be free: a cluster takes about ten, and two clusters are usual. */
const leastWatchers = 24;

/** Number of inotify instances that Linux allows a user, and that the user's processes have. */
interface Watchers {
  readonly most: number;
  readonly used: number;
}

/**
 * Refuses a machine with too few free inotify instances. Otherwise the parts of a cluster would fail with "too many open
 * files", and the user would only see that a webhook does not answer.
 */
export function checkWatchers({ most, used }: Watchers = watchers()): void {
  if (most - used >= leastWatchers) return;
  throw new UserError(
    `This user's processes use ${used} of ${most} inotify instances (fs.inotify.max_user_instances); two clusters need ${leastWatchers} more.`,
    'Raise the limit with `sudo sysctl fs.inotify.max_user_instances=1024`; to keep it after a reboot, add that setting to /etc/sysctl.d. Or stop programs that use them, such as another local cloud.',
  );
}

function watchers(): Watchers {
  try {
    const most = Number(readFileSync('/proc/sys/fs/inotify/max_user_instances', 'utf8'));
    const used = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .reduce((sum, process) => sum + watchersOf(`/proc/${process}/fd`), 0);
    return { most, used };
  } catch {
    return { most: Infinity, used: 0 };
  }
}

/** Returns the number of inotify instances of a process; 0 for one that ended or belongs to another user. */
function watchersOf(folder: string): number {
  try {
    return readdirSync(folder).filter((one) => readlinkSync(`${folder}/${one}`) === 'anon_inode:inotify')
      .length;
  } catch {
    return 0;
  }
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
      'Install a current Node (https://nodejs.org) and run the command again.',
    );
  }
  if (platform !== 'linux') {
    throw new UserError(
      `The local cloud runs on Linux only, and this is ${platform}.`,
      'Run it in a Linux virtual machine or container, on Windows in WSL2. `verify` works everywhere.',
    );
  }
}
