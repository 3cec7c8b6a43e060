import { writeFileSync } from 'node:fs';
import { UserError } from './userError';

/** Writes a file that an option names. */
export function writeOut(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new UserError(
      `${file} cannot be written: ${(error as Error).message}.`,
      'Name a file in an existing folder.',
    );
  }
}
