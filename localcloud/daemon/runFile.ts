import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { isAlive, processIdentity } from '../processIdentity';
import { writeWhole } from '../writeWhole';

const schema = processIdentity.extend({
  /** Time in ISO 8601. */
  startedAt: z.string(),
  azurePort: z.number().int(),
  proxyPort: z.number().int(),
});

/** The address and process of a running local cloud. */
export type RunRecord = z.infer<typeof schema>;

/** Returns the record of the last local cloud, running or not; undefined if there is none. */
export function readRunRecord(file: string): RunRecord | undefined {
  try {
    const parsed = schema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the record of the running local cloud; undefined if none is running. */
export function readServing(file: string): RunRecord | undefined {
  const record = readRunRecord(file);
  return record !== undefined && isAlive(record) ? record : undefined;
}

export function writeRunRecord(file: string, record: RunRecord): void {
  writeWhole(file, `${JSON.stringify(record)}\n`);
}
