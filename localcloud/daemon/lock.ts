import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { identifyProcess, isAlive, processIdentity, type ProcessIdentity } from '../processIdentity';

/** Who holds a lock that could not be had. */
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
 * Takes a lock for the life of this process and returns the function that gives it back. A lock whose
 * process is dead, killed or lost in a reboot, is taken over.
 */
export function acquireLock(file: string): () => void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const self = identifyProcess(process.pid);
  if (self === undefined) throw new Error('this process is not in /proc: the local cloud needs Linux');
  const claim = `${file}.${process.pid}`;
  writeFileSync(claim, JSON.stringify(self), { mode: 0o600 });
  try {
    for (;;) {
      try {
        // A link appears whole or not at all, and fails where one exists.
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
 * Removes the lock of a dead process. One command at a time does so, under a lock of its own, and looks again
 * first: another may have taken the lock over by now, and its lock must stay.
 */
function removeStale(file: string, claim: string): void {
  const marker = `${file}.takeover`;
  try {
    linkSync(claim, marker);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    // Held for microseconds only: the caller tries again. Left behind by one that was killed just then, it goes.
    if (isStale(marker)) rmSync(marker, { force: true });
    return;
  }
  try {
    if (isStale(file)) rmSync(file, { force: true });
  } finally {
    rmSync(marker, { force: true });
  }
}

/** Whether a lock is there and its holder is not: dead, or lost with half of the file. */
function isStale(file: string): boolean {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return false;
  }
  const holder = parseHolder(text);
  return holder === undefined || !isAlive(holder);
}

/** The living holder of a lock; undefined when it is free. */
export function lockHolder(file: string): ProcessIdentity | undefined {
  const holder = readHolder(file);
  return holder !== undefined && isAlive(holder) ? holder : undefined;
}

function readHolder(file: string): ProcessIdentity | undefined {
  try {
    return parseHolder(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
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
