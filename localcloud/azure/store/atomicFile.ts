import { renameSync, writeFileSync } from 'node:fs';

/** Writes a temporary file and renames it, so that a kill in between leaves the old file intact. */
export function writeAtomically(file: string, content: string | Buffer, mode = 0o600): void {
  const temporary = `${file}.tmp`;
  writeFileSync(temporary, content, { mode });
  renameSync(temporary, file);
}
