import { stat } from 'node:fs/promises';
import path from 'node:path';

/** What Go fetches, by what it prints and what then lies in its module cache. */
export class Downloads {
  /** Archives that were begun and are not there yet. */
  private readonly begun = new Set<string>();
  private bytes = 0;

  /** @param moduleCache Go's GOMODCACHE */
  constructor(private readonly moduleCache: string) {}

  /** Takes a line of Go; other lines are passed over. */
  readonly line = (line: string): void => {
    const [, module, version] = /^go: downloading (\S+) (v\S+)$/.exec(line) ?? [];
    if (module === undefined || version === undefined) return;
    // https://go.dev/ref/mod#module-cache: capitals are written as an exclamation mark and the small letter.
    const escaped = `${module}/@v/${version}.zip`.replace(/[A-Z]/g, (capital) => `!${capital.toLowerCase()}`);
    this.begun.add(path.join(this.moduleCache, 'cache', 'download', escaped));
  };

  /** Megabytes that are there of what was fetched since the beginning; undefined if nothing had to be. */
  async megabytes(): Promise<number | undefined> {
    for (const archive of this.begun) {
      const size = await stat(archive).then(
        (info) => info.size,
        () => undefined,
      );
      if (size === undefined) continue;
      if (this.begun.delete(archive)) this.bytes += size;
    }
    return this.bytes === 0 && this.begun.size === 0 ? undefined : this.bytes / 1e6;
  }
}
