import { access, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { HostPath } from '../api/types';

/** The node's file system, which begins with the files that AKS puts on nodes (azureNode.ts). */
export class NodeFiles {
  constructor(private readonly root: string) {}

  /** Where a path of the node is on this host. */
  pathOf({ path: onNode }: HostPath): string {
    return path.join(this.root, path.posix.normalize(`/${onNode}`));
  }

  /**
   * Creates what a volume asks to be created.
   *
   * @throws if the node does not have the path
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
      throw new Error(`hostPath ${hostPath.path}: the local cloud's node does not have it`);
    }
  }
}
