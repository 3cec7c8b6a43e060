import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { ReadFile } from './releases/file';

/** The files of the project in `root` that the configuration names. A folder is no file. */
export function projectFiles(root: string): ReadFile {
  return (file) => {
    const full = path.join(root, file);
    return existsSync(full) && statSync(full).isFile() ? readFileSync(full, 'utf8') : undefined;
  };
}
