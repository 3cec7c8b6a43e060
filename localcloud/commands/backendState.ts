import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Instance } from '../daemon/instance';
import { LOCAL_STACK } from '../daemon/instance';
import { PROJECT } from './stackFile';

/** The file backend keeps everything below `.pulumi`, by project and stack (pulumi/pulumi pkg/backend/diy). */
function inBackend(instance: Pick<Instance, 'pulumiBackend'>, ...names: string[]): string {
  return path.join(instance.pulumiBackend, '.pulumi', ...names);
}

export function stackExists(instance: Pick<Instance, 'pulumiBackend'>): boolean {
  return existsSync(checkpointFile(instance));
}

function checkpointFile(instance: Pick<Instance, 'pulumiBackend'>): string {
  return inBackend(instance, 'stacks', PROJECT, `${LOCAL_STACK}.json`);
}

/**
 * Removes what a killed engine wrote by half. It writes a file's attributes (`.attrs`, gocloud.dev's fileblob)
 * in place, and then stops at an empty one with "failed to load checkpoint: EOF"; an absent one is fine. The
 * checkpoint itself it writes beside and renames, which leaves `.tmp` files.
 */
export function removeHalfWritten(instance: Pick<Instance, 'pulumiBackend'>): void {
  const folder = inBackend(instance);
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const damaged = entry.name.endsWith('.attrs') && readJson(file) === undefined;
    if (damaged || entry.name.endsWith('.tmp')) rmSync(file);
  }
}

const lockSchema = z.object({ pid: z.number().int() });

/** Process ids that the locks of the stack name. */
export function lockPids(instance: Pick<Instance, 'pulumiBackend'>): number[] {
  const folder = inBackend(instance, 'locks', 'organization', PROJECT, LOCAL_STACK);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => {
      const parsed = lockSchema.safeParse(readJson(path.join(folder, name)));
      return parsed.success ? parsed.data.pid : 0;
    });
}

const checkpointSchema = z.object({
  checkpoint: z.object({
    latest: z
      .object({
        pending_operations: z
          .array(
            z.object({
              type: z.string(),
              resource: z.object({
                urn: z.string(),
                type: z.string(),
                inputs: z.record(z.string(), z.unknown()).default({}),
              }),
            }),
          )
          .nullish(),
      })
      .nullish(),
  }),
});

/** An operation whose outcome the engine does not know. */
export interface PendingOperation {
  /** `creating`, `updating`, `deleting`, … */
  operation: string;
  urn: string;
  /** Type token of the resource. */
  type: string;
  /** As in the checkpoint: secrets are encrypted. */
  inputs: Record<string, unknown>;
}

/** What a run that was killed had begun. */
export function pendingOperations(instance: Pick<Instance, 'pulumiBackend'>): PendingOperation[] {
  const parsed = checkpointSchema.safeParse(readJson(checkpointFile(instance)));
  const pending = parsed.success ? parsed.data.checkpoint.latest?.pending_operations : undefined;
  return (pending ?? []).map(({ type: operation, resource: { urn, type, inputs } }) => ({
    operation,
    urn,
    type,
    inputs,
  }));
}

const historySchema = z.object({
  result: z.string().optional(),
  resourceChanges: z.record(z.string(), z.number()).nullish(),
});

/** What the last run changed: operation (`create`, `update`, `delete`, `same`, …) → number of resources. */
export function lastChanges(instance: Pick<Instance, 'pulumiBackend'>): Record<string, number> | undefined {
  const folder = inBackend(instance, 'history', PROJECT, LOCAL_STACK);
  if (!existsSync(folder)) return undefined;
  // The names carry the time in nanoseconds, of equal length: the last in order is the newest.
  const newest = readdirSync(folder)
    .filter((name) => name.endsWith('.history.json'))
    .sort()
    .at(-1);
  if (newest === undefined) return undefined;
  const parsed = historySchema.safeParse(readJson(path.join(folder, newest)));
  return parsed.success ? (parsed.data.resourceChanges ?? {}) : undefined;
}

/** `0 to create, 0 to update, 0 to delete, 43 unchanged`: replacements count as both create and delete. */
export function renderChanges(changes: Record<string, number>): string {
  const sum = (...operations: string[]): number =>
    operations.reduce((total, operation) => total + (changes[operation] ?? 0), 0);
  return [
    `${sum('create', 'replace')} to create`,
    `${sum('update')} to update`,
    `${sum('delete', 'replace')} to delete`,
    `${sum('same')} unchanged`,
  ].join(', ');
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
