import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** Reads a file of the project, by its path relative to it; undefined if there is none. */
export type ReadFile = (file: string) => string | undefined;

/** The files of the project in `root` that the configuration names. A folder is no file. */
export function projectFiles(root: string): ReadFile {
  return (file) => {
    const full = path.join(root, file);
    return existsSync(full) && statSync(full).isFile() ? readFileSync(full, 'utf8') : undefined;
  };
}
