import { readFileSync, writeFileSync, readdirSync, rmSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { identifyProcess, processIdentity } from '../../processIdentity';

/** What is written down about a process, so that a later daemon can tell it from an unrelated one with its pid. */
const processRecord = processIdentity.extend({ name: z.string() });
export type ProcessRecord = z.infer<typeof processRecord>;

const fileOf = (folder: string, name: string) => path.join(folder, `${encodeURIComponent(name)}.json`);

/** Writes the record at once: a daemon that is killed right after a start must still find the process. */
export function writeRecord(folder: string, name: string, pid: number): void {
  const identity = identifyProcess(pid);
  if (identity === undefined) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(folder, name), JSON.stringify({ name, ...identity }));
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
      return [processRecord.parse(JSON.parse(readFileSync(path.join(folder, name), 'utf8')))];
    } catch {
      return [];
    }
  });
}
