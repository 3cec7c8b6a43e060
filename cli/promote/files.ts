import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createTwoFilesPatch } from 'diff';
import { VisibleError } from '../visibleError';

/** A file, and what it becomes. */
export interface FileChange {
  /** Relative to the project. */
  file: string;
  text: string;
  newText: string;
}

/** The changes as `git apply` takes them. */
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
 * Writes the files, or none if one was edited since its text was read. If a write fails, the files before it are written,
 * and a second promotion changes only the others.
 */
export function writeAll(project: string, changes: readonly FileChange[]): void {
  for (const { file, text } of changes) {
    if (readFileSync(path.join(project, file), 'utf8') !== text) {
      throw new VisibleError(
        `${file} was changed while the promotion was checked; nothing was written.`,
        'Run the command again.',
      );
    }
  }
  for (const { file, newText } of changes) writeFileSync(path.join(project, file), newText);
}
