import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { PROGRAM } from '../../project';

const schema = z.object({
  /** Time in ISO 8601. */
  savedAt: z.string(),
  /** Versions that decide whether the state can be read, by program or package. */
  versions: z.record(z.string(), z.string()),
  stacks: z.array(z.string()),
  /** Number and size of all files, which show whether some are missing. */
  files: z.int(),
  bytes: z.int(),
});

/** The description of a save. */
export type SaveManifest = z.infer<typeof schema>;

const fileOf = (folder: string): string => path.join(folder, `${PROGRAM}-save.json`);

export const hasManifest = (folder: string): boolean => existsSync(fileOf(folder));

export function writeManifest(folder: string, manifest: SaveManifest): void {
  writeFileSync(fileOf(folder), `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: 0o600 });
}

/** Returns the manifest of a save, or the reason why the save cannot be read. */
export function readManifest(folder: string): SaveManifest | { problem: string } {
  if (!hasManifest(folder)) return { problem: 'it has no manifest' };
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(fileOf(folder), 'utf8'));
  } catch {
    return { problem: 'its manifest is damaged' };
  }
  return schema.safeParse(content).data ?? { problem: 'its manifest is damaged' };
}

/** Describes each version that differs from the save's. */
export function differences(
  { versions }: Pick<SaveManifest, 'versions'>,
  current: Readonly<Record<string, string>>,
): string[] {
  const names = [...new Set([...Object.keys(versions), ...Object.keys(current)])];
  return names
    .filter((name) => versions[name] !== current[name])
    .map(
      (name) =>
        `${name} is ${current[name] ?? 'not used'} here and ${versions[name] ?? 'not used'} in the save`,
    );
}
