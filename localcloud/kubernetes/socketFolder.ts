import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** Longest path of a socket file in bytes: Linux' limit of 108 (unix(7)), less a margin. */
const longestSocketPath = 100;

/** Returns a folder for socket files: `folder`, or a temporary one if paths in `folder` would be too long. */
export async function socketFolder(
  folder: string,
  longestName: string,
): Promise<{ path: string; dispose: () => Promise<void> }> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (Buffer.byteLength(path.join(folder, longestName)) <= longestSocketPath) {
    return { path: folder, dispose: () => Promise.resolve() };
  }
  const temporary = await mkdtemp(path.join(os.tmpdir(), 'local-cloud-'));
  return { path: temporary, dispose: () => rm(temporary, { recursive: true, force: true }) };
}
