import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ProcessRef } from './processes';
import { identifyProcess, isAlive } from './processes';

/** Who holds a lock that could not be had. */
export class LockedError extends Error {
  constructor(
    readonly file: string,
    readonly holder: ProcessRef,
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
  mkdirSync(path.dirname(file), { recursive: true });
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
        if (!isExisting(error)) throw error;
        const holder = readHolder(file);
        if (holder !== undefined && isAlive(holder)) throw new LockedError(file, holder);
        rmSync(file, { force: true });
      }
    }
  } finally {
    rmSync(claim, { force: true });
  }
}

/** The living holder of a lock; undefined when it is free. */
export function lockHolder(file: string): ProcessRef | undefined {
  const holder = readHolder(file);
  return holder !== undefined && isAlive(holder) ? holder : undefined;
}

function readHolder(file: string): ProcessRef | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isProcessRef(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isProcessRef(value: unknown): value is ProcessRef {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pid' in value &&
    typeof value.pid === 'number' &&
    'startTicks' in value &&
    typeof value.startTicks === 'string'
  );
}

function isExisting(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'EEXIST';
}
