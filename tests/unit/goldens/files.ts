import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** True if reviewed texts are written anew before they are compared: `npm run goldens`. */
export const update = process.env.UPDATE_GOLDENS !== undefined;

/** A folder of goldens, each a text of the name of what it shows. */
export class GoldenFiles {
  private readonly folder: string;

  constructor(name: string) {
    this.folder = path.join(__dirname, name);
    mkdirSync(this.folder, { recursive: true });
  }

  /** Fails if the golden is missing, or another text. */
  compare(name: string, text: string): void {
    const file = path.join(this.folder, `${name}.txt`);
    if (update) writeFileSync(file, text);
    expect(text).toBe(readFileSync(file, 'utf8'));
  }

  /** Fails if there is a golden of nothing. */
  compareNames(names: readonly string[]): void {
    const wanted = names.map((name) => `${name}.txt`).sort();
    const found = () => readdirSync(this.folder).sort();
    const superfluous = found().filter((name) => !wanted.includes(name));
    if (update) for (const name of superfluous) rmSync(path.join(this.folder, name));
    expect(found()).toEqual(wanted);
  }
}
