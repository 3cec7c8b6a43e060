import { closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';

/** Bytes above which a log becomes the previous one when its process restarts. */
const rotateAbove = 10 * 1024 * 1024;

/** Path of the log before the one at `file`. */
export const previousLog = (file: string): string => `${file}.1`;

/** Makes a log the previous one, if there is one, so that the next run begins a new log. */
export function rotateLog(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })) renameSync(file, previousLog(file));
}

/** Opens a log for appending and returns its file descriptor, which the caller closes. */
export function openLog(file: string): number {
  mkdirSync(path.dirname(file), { recursive: true });
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > rotateAbove) rotateLog(file);
  return openSync(file, 'a', 0o600);
}

/** Returns the last lines of a log; empty if it does not exist. */
export function tailLog(file: string, lines = 15, bytes = 8192): string {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch {
    return '';
  }
  try {
    const { size } = fstatSync(descriptor);
    const buffer = Buffer.alloc(Math.min(size, bytes));
    readSync(descriptor, buffer, 0, buffer.length, size - buffer.length);
    return buffer.toString('utf8').trimEnd().split('\n').slice(-lines).join('\n');
  } finally {
    closeSync(descriptor);
  }
}
