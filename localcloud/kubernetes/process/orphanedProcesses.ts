import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from '../../processIdentity';
import { readRecords } from './record';
import { signalGroup } from './signal';

/**
 * Stops the processes that a killed daemon left running, found by their records. Resolves with their names when they
 * have ended.
 *
 * @param graceMs milliseconds between SIGTERM and SIGKILL
 */
export async function stopOrphanedProcesses(folder: string, graceMs = 5000): Promise<string[]> {
  const alive = readRecords(folder).filter(isAlive);
  for (const record of alive) signalGroup(record.pid, 'SIGTERM');
  const deadline = Date.now() + graceMs;
  while (alive.some(isAlive)) {
    if (Date.now() > deadline)
      for (const record of alive) if (isAlive(record)) signalGroup(record.pid, 'SIGKILL');
    await delay(25);
  }
  rmSync(folder, { recursive: true, force: true });
  return alive.map((record) => record.name);
}
