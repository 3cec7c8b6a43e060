import { readFileSync, writeFileSync, readdirSync, rmSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { identifyProcess, processIdentity } from '../../processIdentity';

/**
 * Identifies a process, so that a later daemon does not confuse it with an unrelated one that reuses its pid.
 */
const processRecord = processIdentity.extend({ name: z.string() });
export type ProcessRecord = z.infer<typeof processRecord>;

const fileOf = (folder: string, name: string) => path.join(folder, `${encodeURIComponent(name)}.json`);

/** Writes a process's record synchronously, so that it exists even if the daemon is killed right after the start. */
export function writeRecord(folder: string, name: string, pid: number): void {
  const identity = identifyProcess(pid);
  if (identity === undefined) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(folder, name), JSON.stringify({ name, ...identity }));
}

export function removeRecord(folder: string, name: string): void {
  rmSync(fileOf(folder, name), { force: true });
}

/** Returns all valid records of the folder. An incomplete record does not identify a process reliably. */
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
