import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ReadFile } from './releases/file';

/** The files of the project in `root`, for what the configuration names beside itself. */
export function projectFiles(root: string): ReadFile {
  return (file) => {
    try {
      return readFileSync(path.join(root, file), 'utf8');
    } catch (error) {
      // What is a folder is no file either; anything else is not the configuration's fault.
      if (isMissing(error)) return undefined;
      throw error;
    }
  };
}

function isMissing(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('code' in error)) return false;
  return error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'EISDIR';
}
