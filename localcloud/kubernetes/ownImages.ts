import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { variable } from '../project';
import type { ImageEntry, ImageTable } from './imageTable';

/** Environment variable with the path of a file that maps the user's own images to programs. */
export const IMAGES_VARIABLE = variable('IMAGES');

const file = z.record(
  z.string(),
  z.strictObject({
    /** Program and first arguments; a path with a slash is relative to the file. */
    command: z.array(z.string()).nonempty(),
    /** Ports on which the program listens in its container. */
    ports: z.array(z.int().min(1).max(65535)).default([]),
  }),
);

/**
 * Reads the user's own images. A program with a port must listen on 127.0.0.1, on the port in the variable PORT, as
 * programs do on many container platforms.
 *
 * @throws for a file that cannot be read or has another format
 */
export function readOwnImages(name: string | undefined): ImageTable {
  if (name === undefined || name === '') return {};
  try {
    const entries = file.parse(parse(readFileSync(name, 'utf8')) ?? {});
    return Object.fromEntries(
      Object.entries(entries).map(([repository, entry]) => [repository, entryOf(entry, path.dirname(name))]),
    );
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new Error(
      `${IMAGES_VARIABLE}: ${name} cannot be used: ${reason}. Allowed: { <image without tag>: { command: [<program>, …], ports: [<port>, …] } }`,
    );
  }
}

function entryOf({ command, ports }: z.infer<typeof file>[string], folder: string): ImageEntry {
  const [program = '', ...args] = command;
  const [first] = ports;
  return {
    command: [program.includes('/') ? path.resolve(folder, program) : program, ...args],
    ports,
    ...(first !== undefined && { env: ({ port }) => ({ PORT: String(port(first)), HOST: '127.0.0.1' }) }),
  };
}
