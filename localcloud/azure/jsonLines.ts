import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** Longest stored text of an unauthenticated caller. Issuers and subjects have at most 600 characters. */
const LONGEST = 1000;

const cut = (_name: string, value: unknown): unknown =>
  typeof value === 'string' && value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value;

/** An append-only file with one JSON document a line. */
export class JsonLines<T> {
  constructor(readonly file: string) {}

  append(entry: T): void {
    appendFileSync(this.file, `${JSON.stringify(entry, cut)}\n`, { mode: 0o600 });
  }

  /** All documents, oldest first, without a line that was cut short by a kill. */
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
