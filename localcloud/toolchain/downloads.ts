import { stat } from 'node:fs/promises';
import path from 'node:path';

/** Tracks Go's downloads by Go's output and by the files in its module cache. */
export class Downloads {
  /** Archives whose download has started but not finished. */
  private readonly begun = new Set<string>();
  private bytes = 0;

  /** @param moduleCache Go's GOMODCACHE */
  constructor(private readonly moduleCache: string) {}

  /** Takes a line of Go's output; ignores other lines. */
  readonly line = (line: string): void => {
    const [, module, version] = /^go: downloading (\S+) (v\S+)$/.exec(line) ?? [];
    if (module === undefined || version === undefined) return;
    // A capital letter is written as an exclamation mark and the small letter: https://go.dev/ref/mod#module-cache
    const escaped = `${module}/@v/${version}.zip`.replace(/[A-Z]/g, (capital) => `!${capital.toLowerCase()}`);
    this.begun.add(path.join(this.moduleCache, 'cache', 'download', escaped));
  };

  /** Returns the megabytes downloaded since the start; undefined if nothing had to be downloaded. */
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
