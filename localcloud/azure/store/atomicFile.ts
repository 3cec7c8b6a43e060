import { renameSync, writeFileSync } from 'node:fs';

/** Writes beside and renames, so that a process killed in between leaves the old file whole. */
export function writeAtomically(file: string, content: string | Buffer, mode = 0o600): void {
  const temporary = `${file}.tmp`;
  writeFileSync(temporary, content, { mode });
  renameSync(temporary, file);
}
