import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';

/** Reads a file of the project, by its path relative to it; undefined if there is none. */
export type ReadFile = (file: string) => string | undefined;

/**
 * The files of the project in `root` that the configuration names. A folder is no file; what is outside the project, also
 * by a symbolic link, is not there on the next machine.
 */
export function projectFiles(root: string): ReadFile {
  return (file) => {
    // Not joined: a `..` after a symbolic link is beside what the link leads to.
    const full = `${root}/${file}`;
    if (!existsSync(full) || !statSync(full).isFile()) return undefined;
    const within = path.relative(realpathSync.native(root), realpathSync.native(full));
    const isOutside = path.isAbsolute(within) || within.split(path.sep)[0] === '..';
    return isOutside ? undefined : readFileSync(full, 'utf8');
  };
}
