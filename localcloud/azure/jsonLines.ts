import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** Characters of what an unknown caller sent that are kept: issuers and subjects have at most 600. */
const LONGEST = 1000;

const cut = (_name: string, value: unknown): unknown =>
  typeof value === 'string' && value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value;

/** A record: one JSON document a line, only ever appended to. */
export class JsonLines<T> {
  constructor(readonly file: string) {}

  append(entry: T): void {
    appendFileSync(this.file, `${JSON.stringify(entry, cut)}\n`, { mode: 0o600 });
  }

  /** Oldest first. A line that a kill cut short is left out. */
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
