import { access, mkdir, readFile, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { writeWhole } from '../writeWhole';

/** A file next to a finished binary, which shows whether it is complete. */
interface Receipt {
  bytes: number;
  /** Files that belong to the binary, relative to its folder. */
  beside: string[];
}

const unusedForMs = 30 * 24 * 3600 * 1000;

/** Returns the path of a finished binary; undefined if it is missing or incomplete (a crash, a full disk). */
export async function findBinary(folder: string, name: string): Promise<string | undefined> {
  const file = path.join(folder, name);
  try {
    const [receipt, info] = await Promise.all([readFile(receiptOf(file), 'utf8'), stat(file)]);
    const { bytes, beside } = JSON.parse(receipt) as Receipt;
    await Promise.all(beside.map((other) => access(path.join(folder, other))));
    return info.isFile() && info.size === bytes && bytes > 0 && (info.mode & 0o100) !== 0 ? file : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the binary exists but is incomplete. */
export async function isDamaged(folder: string, name: string): Promise<boolean> {
  const there = (await readdir(folder).catch((): string[] => [])).includes(name);
  return there && (await findBinary(folder, name)) === undefined;
}

/** Creates an empty folder to build into, and removes those of killed builds. Requires the build lock. */
export async function openStaging(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  for (const entry of await readdir(folder)) {
    if (entry.startsWith('.building-')) await rm(path.join(folder, entry), { recursive: true, force: true });
  }
  const staging = path.join(folder, `.building-${process.pid}`);
  await mkdir(staging);
  return staging;
}

/**
 * Moves a finished binary to its place. The receipt is removed first and written last, because a binary counts as
 * finished only with its receipt.
 *
 * @param beside files that belong to the binary, relative to the folder; they must already exist
 */
export async function keepBinary(
  staged: string,
  folder: string,
  name: string,
  beside: string[] = [],
): Promise<void> {
  const file = path.join(folder, name);
  const { size } = await stat(staged);
  await rm(receiptOf(file), { force: true });
  await rename(staged, file);
  const receipt: Receipt = { bytes: size, beside };
  writeWhole(receiptOf(file), JSON.stringify(receipt), 0o644);
}

/**
 * Marks a cache folder as used, at most once a day, so that it is not pruned. A read-only cache cannot be marked; its
 * owner prunes it.
 */
export async function markUsed(folder: string): Promise<void> {
  const { mtimeMs } = await stat(folder);
  const now = Date.now();
  if (now - mtimeMs > 24 * 3600 * 1000) await utimes(folder, now / 1000, now / 1000).catch(() => undefined);
}

/**
 * Removes binaries and charts that nobody used for a month. Requires the build lock.
 *
 * @param inUse names of folders to keep, because a folder unpacked from an archive looks as old as the archive
 */
export async function pruneUnused(cacheFolder: string, inUse: ReadonlySet<string>): Promise<void> {
  for (const entry of await readdir(cacheFolder)) {
    if (inUse.has(entry) || !/^[a-z-]+-[0-9a-f]{16}$/.test(entry)) continue;
    const folder = path.join(cacheFolder, entry);
    if (Date.now() - (await stat(folder)).mtimeMs > unusedForMs)
      await rm(folder, { recursive: true, force: true });
  }
}

function receiptOf(file: string): string {
  return path.join(path.dirname(file), `.${path.basename(file)}.json`);
}
