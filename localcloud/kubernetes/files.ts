import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Writes a temporary file and renames it, so that a reader never sees an incomplete file. */
export async function writeWhole(file: string, content: string | Buffer, mode = 0o600): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const staging = `${file}.${randomUUID()}.tmp`;
  await writeFile(staging, content, { mode });
  await rename(staging, file);
}

/** Returns the content of a text file; undefined if it does not exist. */
export async function readIfExists(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
