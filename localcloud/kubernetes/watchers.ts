import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** inotify instances that a cluster takes: 5 for its control plane, and up to 4 for controllers that watch their certificate. */
const ofCluster = 9;

/** Number of inotify instances that Linux allows a user, and that the user's processes have. */
export interface Watchers {
  readonly most: number;
  readonly used: number;
}

/**
 * Says that the machine has too few free inotify instances for so many more clusters. Otherwise their parts would fail with "too
 * many open files", and the user would only see that a webhook does not answer.
 */
export function tooFewWatchers(
  clusters: number,
  { most, used }: Watchers = watchers(),
): { problem: string; hint: string } | undefined {
  const needed = clusters * ofCluster;
  if (most - used >= needed) return undefined;
  const [count, verb] =
    clusters === 1 ? ['one more cluster', 'needs'] : [`${clusters} more clusters`, 'need'];
  return {
    problem: `This user's processes use ${used} of ${most} inotify instances (fs.inotify.max_user_instances); ${count} ${verb} ${needed}.`,
    hint: 'Raise the limit with `sudo sysctl fs.inotify.max_user_instances=1024`; to keep it after a reboot, add that setting to /etc/sysctl.d. Or stop programs that use them, such as another local cloud.',
  };
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
    return readdirSync(folder).filter(
      (descriptor) => readlinkSync(`${folder}/${descriptor}`) === 'anon_inode:inotify',
    ).length;
  } catch {
    return 0;
  }
}
