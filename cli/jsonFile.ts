import { readFileSync } from 'node:fs';

/** What a file has; undefined if it is not JSON. */
export function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown;
  } catch {
    return undefined;
  }
}
