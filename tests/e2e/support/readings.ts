import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Image of a pod that reads continuously. */
export const readingImage = 'registry.test/tests/reading-pod';

/** Consecutive reads of one pod. */
interface Reading {
  readonly client: string;
  readonly way: 'vault' | 'file' | 'key';
  readonly reads: number;
  readonly failures: readonly string[];
  /** Digests of the values, in the order of the reads; consecutive equal ones count once. */
  readonly values: readonly string[];
}

/** The values that pods read, and their failures. */
export class Readings {
  /** File to which pods append their readings. */
  readonly file: string;

  constructor(private readonly folder: string) {
    this.file = path.join(folder, 'readings.jsonl');
  }

  /** Writes the images file with which the local cloud runs the pods (AKS_WI_IMAGES), and returns its path. */
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

  /** Returns the number of reads, of all pods or of a client's. */
  reads(way: Reading['way'], client?: string): number {
    return this.of(way, client).reduce((sum, { reads }) => sum + reads, 0);
  }

  get failures(): readonly string[] {
    return this.all.flatMap(({ failures }) => failures);
  }

  /** Returns the digests of all values that all pods or a client's pods read, sorted. */
  values(way: Reading['way'], client?: string): readonly string[] {
    return [...new Set(this.of(way, client).flatMap(({ values }) => values))].sort();
  }

  /** Resolves when the condition is true. Pods continue to read meanwhile. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise((resolve) => setTimeout(resolve, 200));
  }

  private of(way: Reading['way'], client?: string): readonly Reading[] {
    return this.all.filter(
      (reading) => reading.way === way && (client === undefined || reading.client === client),
    );
  }
}

/** Returns the digest that readings have in place of a value. */
export const digestOf = (value: string) => createHash('sha256').update(value).digest('hex');
