import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { writeWhole } from '../../writeWhole';

/**
 * Documents by id, one file each, cached in memory. A write is on disk before it returns. Ids are compared case-insensitively,
 * like resource ids.
 */
export class Collection<T> {
  private readonly documents = new Map<string, T>();

  constructor(private readonly folder: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(folder)) {
      const file = path.join(folder, name);
      // Left by a process that was killed before the rename.
      if (name.endsWith('.tmp')) rmSync(file);
      else if (name.endsWith('.json')) {
        const { id, document } = JSON.parse(readFileSync(file, 'utf8')) as { id: string; document: T };
        this.documents.set(id, document);
      }
    }
  }

  get(id: string): T | undefined {
    return this.documents.get(id.toLowerCase());
  }

  has(id: string): boolean {
    return this.documents.has(id.toLowerCase());
  }

  /** All documents, sorted by id. */
  values(): T[] {
    return [...this.documents.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, document]) => document);
  }

  set(id: string, document: T): void {
    const key = id.toLowerCase();
    writeWhole(this.fileOf(key), JSON.stringify({ id: key, document }));
    this.documents.set(key, document);
  }

  delete(id: string): boolean {
    const key = id.toLowerCase();
    if (!this.documents.delete(key)) return false;
    rmSync(this.fileOf(key), { force: true });
    return true;
  }

  private fileOf(key: string): string {
    return path.join(this.folder, `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.json`);
  }
}
