import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Files of a volume: content by path in the volume's folder. */
export type Payload = Map<string, Buffer>;

/**
 * Writes a volume as a kubelet does, so that readers see either all old or all new files. Files are symbolic links
 * through `..data`, which a rename switches from one generation's folder to the next.
 *
 * @returns whether anything changed
 */
export async function writeAtomically(folder: string, payload: Payload): Promise<boolean> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of payload.keys()) assertInside(name);
  const before = await currentGeneration(folder);
  if (before !== undefined && (await holds(path.join(folder, before), payload))) return false;

  const generation = `..${randomUUID()}`;
  await mkdir(path.join(folder, generation), { mode: 0o700 });
  for (const [name, content] of payload) {
    const file = path.join(folder, generation, name);
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, content, { mode: 0o600 });
  }
  const switching = path.join(folder, '..data_tmp');
  await rm(switching, { force: true });
  await symlink(generation, switching);
  await rename(switching, path.join(folder, '..data'));

  const visible = new Set([...payload.keys()].map((name) => name.split('/')[0] ?? name));
  for (const name of visible)
    if (!(await exists(path.join(folder, name))))
      await symlink(path.join('..data', name), path.join(folder, name));
  for (const name of await readdir(folder))
    if (!name.startsWith('..') && !visible.has(name)) await rm(path.join(folder, name), { force: true });
  if (before !== undefined) await rm(path.join(folder, before), { recursive: true, force: true });
  return true;
}

function assertInside(name: string): void {
  if (name === '' || path.isAbsolute(name) || name.split('/').includes('..') || name.startsWith('..'))
    throw new Error(`volume path "${name}" leads out of the volume; paths must be relative and without ".."`);
}

async function currentGeneration(folder: string): Promise<string | undefined> {
  try {
    return await readlink(path.join(folder, '..data'));
  } catch {
    return undefined;
  }
}

async function exists(file: string): Promise<boolean> {
  return await lstat(file).then(
    () => true,
    () => false,
  );
}

async function holds(folder: string, payload: Payload): Promise<boolean> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  if (files.length !== payload.size) return false;
  for (const entry of files) {
    const file = path.join(entry.parentPath, entry.name);
    const expected = payload.get(path.relative(folder, file));
    if (!expected?.equals(await readFile(file))) return false;
  }
  return true;
}
