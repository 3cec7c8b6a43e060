import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { identifyProcess, isAlive, processIdentity, type ProcessIdentity } from './processIdentity';

/** Another process holds the lock. */
export class LockedError extends Error {
  constructor(
    readonly file: string,
    readonly holder: ProcessIdentity,
  ) {
    super(`${file} is held by process ${holder.pid}`);
    this.name = 'LockedError';
  }
}

/**
 * Acquires a lock for the lifetime of this process and returns a function that releases it. The lock of a dead
 * process is taken over at once, even if its process id is in use again. `proper-lockfile` does not record the
 * holder, and waits until a lock is old.
 */
export function acquireLock(file: string): () => void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const self = identifyProcess(process.pid);
  if (self === undefined) throw new Error('this process is not in /proc: the local cloud needs Linux');
  const claim = `${file}.${process.pid}`;
  // Readable for all: users can share a cache, and each has to see whether the holder lives.
  writeFileSync(claim, JSON.stringify(self), { mode: 0o644 });
  try {
    for (;;) {
      try {
        // A link is created atomically, and fails if the file exists.
        linkSync(claim, file);
        return () => {
          if (readHolder(file)?.pid === self.pid) rmSync(file, { force: true });
        };
      } catch (error) {
        if (!hasCode(error, 'EEXIST')) throw error;
        const holder = readHolder(file);
        if (holder !== undefined && isAlive(holder)) throw new LockedError(file, holder);
        removeStale(file, claim);
      }
    }
  } finally {
    rmSync(claim, { force: true });
  }
}

/**
 * Removes the lock of a dead process. Only one process at a time does this, with a lock of its own, and checks
 * again first, because another one may have taken over the lock.
 */
function removeStale(file: string, claim: string): void {
  const marker = `${file}.takeover`;
  try {
    linkSync(claim, marker);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    // This lock is held for microseconds, so the caller retries. One left by a killed process is removed.
    if (isStale(marker)) rmSync(marker, { force: true });
    return;
  }
  try {
    if (isStale(file)) rmSync(file, { force: true });
  } finally {
    rmSync(marker, { force: true });
  }
}

/** Whether a lock exists but its holder is dead, or the file is incomplete. */
function isStale(file: string): boolean {
  const text = readLock(file);
  if (text === undefined) return false;
  const holder = parseHolder(text);
  return holder === undefined || !isAlive(holder);
}

/** The living holder of a lock; undefined if it is free. */
export function lockHolder(file: string): ProcessIdentity | undefined {
  const holder = readHolder(file);
  return holder !== undefined && isAlive(holder) ? holder : undefined;
}

function readHolder(file: string): ProcessIdentity | undefined {
  const text = readLock(file);
  return text === undefined ? undefined : parseHolder(text);
}

/** The content of a lock; undefined if it is free. */
function readLock(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function parseHolder(text: string): ProcessIdentity | undefined {
  try {
    return processIdentity.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
