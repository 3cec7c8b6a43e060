import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
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
 * Writes all of the files or, as far as one machine can, none: each is written beside its place first, and only when
 * all are there, and none was edited meanwhile, are they renamed.
 */
export function writeAll(project: string, changes: readonly FileChange[]): void {
  const staged = changes.map((change) => {
    const target = path.join(project, change.file);
    return { ...change, target, beside: `${target}.${process.pid}.tmp` };
  });
  try {
    for (const { target, beside, newText } of staged) {
      writeFileSync(beside, newText, { mode: statSync(target).mode });
    }
    for (const { file, target, text } of staged) {
      if (readFileSync(target, 'utf8') !== text) {
        throw new VisibleError(
          `${file} was changed while the promotion was checked; nothing was written.`,
          'Run the command again.',
        );
      }
    }
    for (const { target, beside } of staged) renameSync(beside, target);
  } finally {
    for (const { beside } of staged) rmSync(beside, { force: true });
  }
}
