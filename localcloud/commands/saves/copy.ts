import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, readdir, readlink, symlink } from 'node:fs/promises';
import path from 'node:path';

/** Number and size of the copied files. */
export interface Extent {
  files: number;
  bytes: number;
}

/**
 * Paths in the state that a start writes again: logs, locks, records of processes, sockets, caches, and all files that
 * name the state folder or the ports of Azure.
 */
const writtenAgain = [
  /^(logs|kubeconfigs|pulumi-home|init-[^/]+|run\.json.*|(command|localcloud)\.lock.*)$/,
  /^azure\/ports\.json$/,
  /^pulumi\/\.pulumi\/locks$/,
  /^clusters\/[^/]+\/(logs|run|pids|helm)$/,
  /^clusters\/[^/]+\/pods\/[^/]+\/(containers|kubeconfig)$/,
  // Segments that etcd allocates in advance.
  /^clusters\/[^/]+\/etcd\/member\/wal\/[^/]+\.tmp$/,
];

/** Tells whether saves contain this path of the state. */
export const isSaved = (name: string): boolean => !writtenAgain.some((pattern) => pattern.test(name));

/** Copies the files and folders of a state until the signal is aborted; `to` must not exist. */
export async function copyState(from: string, to: string, signal: AbortSignal, name = ''): Promise<Extent> {
  // Only for the owner, because a state contains keys and secrets.
  await mkdir(to, { recursive: name === '', mode: 0o700 });
  const entries = await readdir(from, { withFileTypes: true });
  const extents = await Promise.all(
    entries.map(async (entry): Promise<Extent> => {
      const inner = name === '' ? entry.name : `${name}/${entry.name}`;
      const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
      if (!isSaved(inner)) return { files: 0, bytes: 0 };
      if (entry.isDirectory()) return copyState(source, target, signal, inner);
      if (entry.isSymbolicLink()) {
        await symlink(await readlink(source), target);
        return { files: 1, bytes: 0 };
      }
      // Sockets and pipes of a process that has ended are not needed.
      if (!entry.isFile()) return { files: 0, bytes: 0 };
      signal.throwIfAborted();
      await copyFile(source, target, constants.COPYFILE_FICLONE);
      return { files: 1, bytes: (await lstat(target)).size };
    }),
  );
  return extents.reduce((sum, { files, bytes }) => ({ files: sum.files + files, bytes: sum.bytes + bytes }), {
    files: 0,
    bytes: 0,
  });
}
