import { existsSync } from 'node:fs';
import { SCRIPT } from '../project';

/** Returns the arguments with which Node runs the project's own command: that of this checkout, else the one that runs. */
export function ownCommand(...args: string[]): string[] {
  return [SCRIPT !== undefined && existsSync(SCRIPT) ? SCRIPT : (process.argv[1] ?? ''), ...args];
}
