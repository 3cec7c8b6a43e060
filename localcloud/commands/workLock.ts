import path from 'node:path';
import type { Instance } from '../daemon/instance';
import { acquireLock, LockedError } from '../lock';
import { UserError } from '../userError';

/** Returns the path of the lock of commands that change the deployment. */
export const workLock = ({ folder }: Pick<Instance, 'folder'>): string => path.join(folder, 'command.lock');

/** Runs a command that changes the deployment; refuses to run two at the same time. */
export async function exclusively<T>(instance: Instance, command: string, run: () => Promise<T>): Promise<T> {
  let release: () => void;
  try {
    release = acquireLock(workLock(instance));
  } catch (error) {
    if (!(error instanceof LockedError)) throw error;
    throw new UserError(
      `\`${command}\` cannot run while another command (process ${error.holder.pid}) uses this local cloud.`,
      'Wait for it to end, or interrupt it with Ctrl-C in its terminal.',
    );
  }
  try {
    return await run();
  } finally {
    release();
  }
}
