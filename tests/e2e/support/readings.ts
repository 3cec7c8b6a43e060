import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Image of a pod that reads without pause. */
export const readingImage = 'registry.test/tests/reading-pod';

/** Reads of a pod, one after the other. */
interface Reading {
  readonly client: string;
  readonly way: 'vault' | 'file' | 'key';
  readonly reads: number;
  readonly failures: readonly string[];
  /** Digests of the values, in the order in which they were read; none is there twice in a row. */
  readonly values: readonly string[];
}

/** What pods read, and whether they failed. */
export class Readings {
  /** File to which pods add what they read. */
  readonly file: string;

  constructor(private readonly folder: string) {
    this.file = path.join(folder, 'readings.jsonl');
  }

  /** Writes the file by which the local cloud runs the pods, and returns its path. */
  imagesFile(): string {
    const file = path.join(this.folder, 'images.json');
    const command = [process.execPath, path.join(__dirname, 'readingPod.mjs')];
    writeFileSync(file, JSON.stringify({ [readingImage]: { command, ports: [8080] } }));
    return file;
  }

  private get all(): readonly Reading[] {
    if (!existsSync(this.file)) return [];
    const lines = readFileSync(this.file, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Reading);
  }

  /** The number of reads, of all pods or of those of a client. */
  reads(way: Reading['way'], client?: string): number {
    return this.of(way, client).reduce((sum, { reads }) => sum + reads, 0);
  }

  get failures(): readonly string[] {
    return this.all.flatMap(({ failures }) => failures);
  }

  /** Digests of all values that were read, of all pods or of those of a client, sorted. */
  values(way: Reading['way'], client?: string): readonly string[] {
    return [...new Set(this.of(way, client).flatMap(({ values }) => values))].sort();
  }

  /** Whether the condition becomes true while pods go on reading. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise((resolve) => setTimeout(resolve, 200));
  }

  private of(way: Reading['way'], client?: string): readonly Reading[] {
    return this.all.filter((one) => one.way === way && (client === undefined || one.client === client));
  }
}

/** How readings show a value. */
export const digestOf = (value: string) => createHash('sha256').update(value).digest('hex');
