import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { isAlive, processIdentity } from '../processIdentity';

const schema = processIdentity.extend({
  /** Time in ISO 8601. */
  startedAt: z.string(),
  azurePort: z.number().int(),
  proxyPort: z.number().int(),
});

/** The address and process of a running local cloud. */
export type RunRecord = z.infer<typeof schema>;

/** The record of the last local cloud, running or not. */
export function readRunRecord(file: string): RunRecord | undefined {
  try {
    const parsed = schema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** The record of the running local cloud. */
export function readServing(file: string): RunRecord | undefined {
  const record = readRunRecord(file);
  return record !== undefined && isAlive(record) ? record : undefined;
}

export function writeRunRecord(file: string, record: RunRecord): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const staging = `${file}.${process.pid}`;
  writeFileSync(staging, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  renameSync(staging, file);
}
