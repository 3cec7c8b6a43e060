import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/** Format of the saved files. A new one is needed when a local cloud cannot read what an older one wrote. */
const FORMAT = 1;

const schema = z.object({
  format: z.literal(FORMAT),
  /** Time in ISO 8601. */
  savedAt: z.string(),
  /** Versions that decide whether the state can be read, by program or package. */
  versions: z.record(z.string(), z.string()),
  stacks: z.array(z.string()),
  /** Number and size of all files, which show whether some are missing. */
  files: z.int(),
  bytes: z.int(),
});

/** Describes a save. */
export type SaveManifest = z.infer<typeof schema>;

const fileOf = (folder: string): string => path.join(folder, 'aks-wi-save.json');

export const hasManifest = (folder: string): boolean => existsSync(fileOf(folder));

export function writeManifest(folder: string, manifest: Omit<SaveManifest, 'format'>): SaveManifest {
  const whole = { format: FORMAT, ...manifest } as const;
  writeFileSync(fileOf(folder), `${JSON.stringify(whole, undefined, 2)}\n`, { mode: 0o600 });
  return whole;
}

/** The manifest of a save, or the reason why the save cannot be read. */
export function readManifest(folder: string): SaveManifest | { problem: string } {
  if (!hasManifest(folder)) return { problem: 'it has no manifest' };
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(fileOf(folder), 'utf8'));
  } catch {
    return { problem: 'its manifest is damaged' };
  }
  const { data: format } = z.object({ format: z.int() }).safeParse(content);
  if (format !== undefined && format.format !== FORMAT)
    return { problem: `it has format ${format.format}, and this version reads format ${FORMAT}` };
  return schema.safeParse(content).data ?? { problem: 'its manifest is damaged' };
}

/** Names the versions that differ from those of the save. */
export function differences(
  { versions }: Pick<SaveManifest, 'versions'>,
  here: Readonly<Record<string, string>>,
): string[] {
  const names = [...new Set([...Object.keys(versions), ...Object.keys(here)])];
  return names
    .filter((name) => versions[name] !== here[name])
    .map(
      (name) =>
        `it was saved with ${name} ${versions[name] ?? 'missing'}, and this is ${here[name] ?? 'missing'}`,
    );
}
