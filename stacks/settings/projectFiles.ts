import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Path, Problem } from './problem';

/** Reads a file of the project by its path relative to the project; undefined if it does not exist. */
export interface ReadFile {
  (file: string): string | undefined;
  /** Returns the paths of all files in a folder, relative to it. Absent if folders cannot be listed. */
  readonly filesIn?: (folder: string) => readonly string[];
}

/**
 * Returns a reader of the project's files in `root` that the configuration names. Folders do not count as files. Files outside
 * the project, also through a symbolic link, count as missing: they would be missing on the next machine.
 * @param stackFiles folder of the stack files, which need not be in the project. Default: `root`
 */
export function projectFiles(root: string, stackFiles = root): ReadFile {
  // Not `path.join`: it would resolve a `..` after a symbolic link before following the link.
  const within = (name: string) => {
    const full = `${root}/${name}`;
    if (!existsSync(full)) return undefined;
    const inside = path.relative(realpathSync.native(root), realpathSync.native(full));
    return path.isAbsolute(inside) || inside.split(path.sep)[0] === '..' ? undefined : full;
  };
  const read = (file: string) => {
    const full = /^Pulumi\.[\w.-]+\.yaml$/.test(file) ? path.join(stackFiles, file) : within(file);
    return full !== undefined && statSync(full, { throwIfNoEntry: false })?.isFile() === true
      ? readFileSync(full, 'utf8')
      : undefined;
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

/** Returns the path of a file in the project for comparison and messages: without `./`. */
export function inProject(file: string): string {
  return file.replace(/^(\.\/+)+/, '');
}

/** Returns the problem of a path, in the setting at `setting`, where the project has no file. */
export function missingFile(setting: Path, file: string): Problem {
  return {
    ...{ path: setting, value: JSON.stringify(file), what: 'is not a file in the project' },
    hint: 'Write it, or correct this path, which is relative to the project.',
  };
}
