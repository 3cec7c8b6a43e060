import { existsSync } from 'node:fs';
import path from 'node:path';
import { installation } from '../project';

/** Returns the arguments with which Node runs the project's own command: that of this checkout, else the one that runs. */
export function ownCommand(...args: string[]): string[] {
  const launcher = path.join(installation, 'cli', 'bin.mjs');
  return [existsSync(launcher) ? launcher : (process.argv[1] ?? ''), ...args];
}
