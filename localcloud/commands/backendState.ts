import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { PROJECT } from '../project';
import { type Backend, checkpointFile, inBackend, stackNames } from './backendFiles';

// Reads the files of the backend itself: the engine may fail at those of a killed run, and neither its commands nor
// Pulumi's automation API list the holders of locks.

/**
 * Removes incomplete files of a killed engine, which renames its files into place and so can leave `.tmp` files. It would take
 * one beside its locks for a lock (pulumi/pulumi pkg/backend/diy/lock.go). Files of other stacks are not touched, because an
 * engine may be writing them.
 */
export function removeHalfWritten(instance: Backend, stack: string): void {
  const folder = inBackend(instance);
  if (!existsSync(folder)) return;
  const others = stackNames(instance).filter((name) => name !== stack);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.tmp')) continue;
    const file = path.join(entry.parentPath, entry.name);
    const segments = path.relative(folder, file).split(path.sep);
    if (others.some((name) => segments.includes(name) || entry.name.startsWith(`${name}.json`))) continue;
    rmSync(file);
  }
}

const lockSchema = z.object({ pid: z.number().int() });

/** Returns the process ids in the locks of the stack; 0 for a lock that cannot be read. */
export function lockPids(instance: Backend, stack: string): number[] {
  const folder = inBackend(instance, 'locks', 'organization', PROJECT, stack);
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

/** An operation whose result the engine does not know. */
export interface PendingOperation {
  /** `creating`, `updating`, `deleting`, … */
  operation: string;
  urn: string;
  /** Resource type token. */
  type: string;
  /** Inputs as in the checkpoint, with encrypted secrets. */
  inputs: Record<string, unknown>;
}

/** Returns the unfinished operations of a killed run. */
export function pendingOperations(instance: Backend, stack: string): PendingOperation[] {
  const parsed = checkpointSchema.safeParse(readJson(checkpointFile(instance, stack)));
  const pending = parsed.success ? parsed.data.checkpoint.latest?.pending_operations : undefined;
  return (pending ?? []).map(({ type: operation, resource: { urn, type, inputs } }) => ({
    operation,
    urn,
    type,
    inputs,
  }));
}

const historySchema = z.object({
  /** `update`, `refresh`, `destroy`, … */
  kind: z.string().optional(),
  /** `succeeded` or `failed`. */
  result: z.string().optional(),
  /** Facts about the run, such as `git.head`, the commit. */
  environment: z.record(z.string(), z.string()).nullish(),
  /** Number of resources by operation (`create`, `update`, `delete`, `same`, …). */
  resourceChanges: z.record(z.string(), z.number()).nullish(),
});

/** A run in the history of a stack. */
export type RunOfStack = z.infer<typeof historySchema>;

/** Returns the stack's last run; undefined before the first one, and if its record cannot be read. */
export function lastRun(instance: Backend, stack: string): RunOfStack | undefined {
  const folder = inBackend(instance, 'history', PROJECT, stack);
  if (!existsSync(folder)) return undefined;
  // The names contain the time in nanoseconds, so the last one in sort order is the newest.
  const newest = readdirSync(folder)
    .filter((name) => name.endsWith('.history.json'))
    .sort()
    .at(-1);
  return newest === undefined ? undefined : historySchema.safeParse(readJson(path.join(folder, newest))).data;
}

/** Returns `0 to create, 0 to update, 0 to delete, 43 unchanged`; a replacement counts as both create and delete. */
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
