import { readFileSync, writeFileSync, readdirSync, rmSync, mkdirSync } from 'node:fs';
import path from 'node:path';

/**
 * What is written down about a process, so that a later daemon can tell it from an unrelated one that got
 * the same pid: the kernel's start time (clock ticks since boot) together with the boot it counts from.
 */
export interface ProcessRecord {
  name: string;
  pid: number;
  startTime: string;
  bootId: string;
}

/** Field 22 of /proc/<pid>/stat (proc(5)); undefined if there is no such process or it is a zombie. */
export function startTimeOf(pid: number): string | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The second field is the program's name in parentheses and may itself hold blanks and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' ? undefined : fields[19];
}

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}

const fileOf = (folder: string, name: string) => path.join(folder, `${encodeURIComponent(name)}.json`);

/** Writes the record at once: a daemon that is killed right after a start must still find the process. */
export function writeRecord(folder: string, name: string, pid: number): void {
  const startTime = startTimeOf(pid);
  if (startTime === undefined) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(folder, name), JSON.stringify({ name, pid, startTime, bootId: bootId() }));
}

export function removeRecord(folder: string, name: string): void {
  rmSync(fileOf(folder, name), { force: true });
}

/** Every readable record of the folder. A half-written one names no process that could be stopped safely. */
export function readRecords(folder: string): ProcessRecord[] {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    try {
      const value: unknown = JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
      return isRecord(value) ? [value] : [];
    } catch {
      return [];
    }
  });
}

function isRecord(value: unknown): value is ProcessRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { name, pid, startTime, bootId: boot } = value as Partial<Record<keyof ProcessRecord, unknown>>;
  return (
    typeof name === 'string' &&
    typeof pid === 'number' &&
    typeof startTime === 'string' &&
    typeof boot === 'string'
  );
}

/** Whether the process of the record still runs (and is not another one with its pid). */
export function isAlive(record: ProcessRecord): boolean {
  return record.bootId === bootId() && startTimeOf(record.pid) === record.startTime;
}
