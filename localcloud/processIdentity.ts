import { readdirSync, readFileSync } from 'node:fs';
import * as z from 'zod';

/**
 * Identifies a process uniquely, even if its pid is reused: with its start in clock ticks since boot (proc(5),
 * field 22 of /proc/PID/stat), and the id of the boot.
 */
export interface ProcessIdentity {
  pid: number;
  startTicks: string;
  bootId: string;
}

/** The stored form of an identity. */
export const processIdentity = z.object({
  pid: z.number().int().positive(),
  startTicks: z.string(),
  bootId: z.string(),
});

/** The living process with this pid; undefined if there is none, or only a zombie. */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const stat = readOrNothing(`/proc/${pid}/stat`);
  // The command in parentheses may contain any characters, including parentheses.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  const state = fields?.[0];
  const startTicks = fields?.[19];
  if (startTicks === undefined || state === 'X' || (state === 'Z' && !hasThreads(pid))) return undefined;
  return { pid, startTicks, bootId: bootId() };
}

/** When a process ends, its first thread may be a zombie while others still run and hold its ports. */
function hasThreads(pid: number): boolean {
  try {
    return readdirSync(`/proc/${pid}/task`).length > 1;
  } catch {
    return false;
  }
}

/** Whether exactly this process is running. */
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
