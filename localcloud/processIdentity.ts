import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';

/**
 * A process, named so that no other is ever taken for it, also after it has ended and its id was given away: with
 * its start in the kernel's clock ticks since boot (proc(5), field 22 of /proc/PID/stat), and the boot they count from.
 */
export interface ProcessIdentity {
  pid: number;
  startTicks: string;
  bootId: string;
}

/** An identity as it is written down. */
export const processIdentity = z.object({
  pid: z.number().int().positive(),
  startTicks: z.string(),
  bootId: z.string(),
});

/** The living process with this id; undefined when there is none, or only a zombie. */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const stat = readOrNothing(`/proc/${pid}/stat`);
  // The command in parentheses may hold anything, parentheses too.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  const state = fields?.[0];
  const startTicks = fields?.[19];
  if (startTicks === undefined || state === 'X' || (state === 'Z' && !hasThreads(pid))) return undefined;
  return { pid, startTicks, bootId: bootId() };
}

/** Of a process that ends, the first thread may be a zombie while others still run, and hold its ports. */
function hasThreads(pid: number): boolean {
  try {
    return readdirSync(`/proc/${pid}/task`).length > 1;
  } catch {
    return false;
  }
}

/** Whether exactly this process still runs. */
export function isAlive({ pid, startTicks, bootId }: ProcessIdentity): boolean {
  const now = identifyProcess(pid);
  return now?.startTicks === startTicks && now.bootId === bootId;
}

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}

function readOrNothing(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
