import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createTwoFilesPatch } from 'diff';
import { UserError } from '../userError';

/** A change of a file. */
export interface FileChange {
  /** Relative to the project. */
  file: string;
  text: string;
  newText: string;
}

/** Renders the changes as a diff for `git apply`. */
export function renderDiff(changes: readonly FileChange[]): string {
  return changes
    .map(({ file, text, newText }) =>
      createTwoFilesPatch(`a/${file}`, `b/${file}`, text, newText, undefined, undefined, {
        context: 3,
      }).replace(/^=+\n/, ''),
    )
    .join('');
}

/**
 * Writes the files, or none of them if one was edited since it was read. If a write fails, a second promotion changes only the
 * remaining files.
 */
export function writeAll(project: string, changes: readonly FileChange[]): void {
  for (const { file, text } of changes) {
    if (readFileSync(path.join(project, file), 'utf8') !== text) {
      throw new UserError(
        `${file} was edited during the promotion; nothing was written.`,
        'Run the command again.',
      );
    }
  }
  for (const { file, newText } of changes) writeFileSync(path.join(project, file), newText);
}
