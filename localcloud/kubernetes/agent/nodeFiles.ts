import { access, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { HostPath } from '../api/types';

/** The node's file system. It first contains only the files that AKS puts on nodes (azureNode.ts). */
export class NodeFiles {
  constructor(private readonly root: string) {}

  /** Returns the path on this host for a path on the node. */
  pathOf({ path: onNode }: HostPath): string {
    return path.join(this.root, path.posix.normalize(`/${onNode}`));
  }

  /**
   * Creates the folder or file that the type of a hostPath volume requires.
   *
   * @throws if the path does not exist on the node and the type does not create it
   */
  async provide(hostPath: HostPath): Promise<void> {
    const target = this.pathOf(hostPath);
    if (hostPath.type === 'DirectoryOrCreate') await mkdir(target, { recursive: true });
    if (hostPath.type === 'FileOrCreate') {
      await mkdir(path.dirname(target), { recursive: true });
      await writeFile(target, '', { flag: 'a' });
    }
    try {
      await access(target);
    } catch {
      throw new Error(`hostPath ${hostPath.path} does not exist on the local cloud's node`);
    }
  }
}
