import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/**
 * Longest string that is stored, because unauthenticated callers can send longer ones. Issuers and subjects have at most 600
 * characters.
 */
const LONGEST = 1000;

const cut = (_name: string, value: unknown): unknown =>
  typeof value === 'string' && value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value;

/** An append-only file with one JSON document per line. */
export class JsonLines<T> {
  constructor(readonly file: string) {}

  append(entry: T): void {
    appendFileSync(this.file, `${JSON.stringify(entry, cut)}\n`, { mode: 0o600 });
  }

  /** Returns all documents, oldest first. Skips a line that a killed process left incomplete. */
  read(): T[] {
    if (!existsSync(this.file)) return [];
    return readFileSync(this.file, 'utf8')
      .split('\n')
      .flatMap((line) => {
        try {
          return line === '' ? [] : [JSON.parse(line) as T];
        } catch {
          return [];
        }
      });
  }
}
