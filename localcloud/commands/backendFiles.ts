import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Instance } from '../daemon/instance';
import { PROJECT } from '../project';

/** The part of an instance that this file needs. */
export type Backend = Pick<Instance, 'pulumiBackend'>;

/**
 * Returns the URL of the file backend. Without `metadata=skip`, the engine writes a file of attributes beside each file, in place,
 * and if it is killed meanwhile, fails from then on with "failed to load checkpoint: EOF" (gocloud.dev blob/fileblob).
 */
export function backendUrl({ pulumiBackend }: Backend): string {
  return `file://${pulumiBackend}?metadata=skip`;
}

/**
 * Returns a path in the file backend, where everything is below `.pulumi`, by project and stack (pulumi/pulumi
 * pkg/backend/diy).
 */
export function inBackend(instance: Backend, ...names: string[]): string {
  return path.join(instance.pulumiBackend, '.pulumi', ...names);
}

export function stackExists(instance: Backend, stack: string): boolean {
  return existsSync(checkpointFile(instance, stack));
}

/** Returns the names of all stacks, sorted. */
export function stackNames(instance: Backend): string[] {
  const folder = inBackend(instance, 'stacks', PROJECT);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .sort();
}

export function checkpointFile(instance: Backend, stack: string): string {
  return inBackend(instance, 'stacks', PROJECT, `${stack}.json`);
}
