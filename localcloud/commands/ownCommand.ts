import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Instance } from '../daemon/instance';

/** Returns the arguments with which Node runs this project's own command. */
export function ownCommand(instance: Pick<Instance, 'projectRoot'>, ...args: string[]): string[] {
  const launcher = path.join(instance.projectRoot, 'cli', 'bin.mjs');
  if (!existsSync(launcher)) throw new Error(`${launcher} is missing`);
  return [launcher, ...args];
}
