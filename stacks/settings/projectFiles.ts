import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';

/** Reads a file of the project, by its path relative to it; undefined if there is none. */
export interface ReadFile {
  (file: string): string | undefined;
  /** Paths of all files in a folder, relative to it, if folders can be looked into. */
  readonly filesIn?: (folder: string) => readonly string[];
}

/**
 * The files of the project in `root` that the configuration names. A folder is no file; what is outside the project, also
 * by a symbolic link, is not there on the next machine.
 */
export function projectFiles(root: string): ReadFile {
  // Not joined: a `..` after a symbolic link is beside what the link leads to.
  const within = (name: string) => {
    const full = `${root}/${name}`;
    if (!existsSync(full)) return undefined;
    const inside = path.relative(realpathSync.native(root), realpathSync.native(full));
    return path.isAbsolute(inside) || inside.split(path.sep)[0] === '..' ? undefined : full;
  };
  const read = (file: string) => {
    const full = within(file);
    return full !== undefined && statSync(full).isFile() ? readFileSync(full, 'utf8') : undefined;
  };
  const filesIn = (folder: string) => {
    const full = within(folder);
    return full !== undefined && statSync(full).isDirectory()
      ? readdirSync(full, { recursive: true, encoding: 'utf8' }).filter(
          (name) => statSync(path.join(full, name), { throwIfNoEntry: false })?.isFile() === true,
        )
      : [];
  };
  return Object.assign(read, { filesIn });
}
