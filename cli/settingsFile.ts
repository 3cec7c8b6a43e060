import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { environmentIn, stackFileOf } from '../stacks/cells';

/** Returns the path of the file with the settings of a stack file: for a cell, the stack file of its environment, beside it. */
export function settingsFile(stackFile: string): string {
  const environment = existsSync(stackFile) ? environmentIn(readFileSync(stackFile, 'utf8')) : undefined;
  return environment === undefined ? stackFile : path.join(path.dirname(stackFile), stackFileOf(environment));
}
