import type { Tool } from './tools';

export interface BuildProgress {
  /** The current compilation; undefined before the first package and after the last. */
  compiling?: { tools: readonly Tool[]; packages: number; of: number };
  /** Tools being linked, which takes half a minute for a large program. */
  linking: readonly Tool[];
  /** Downloaded modules; undefined if nothing had to be downloaded. */
  downloads?: { megabytes: number; of: number };
  /** Tools that are built afterwards. */
  next: readonly Tool[];
}

/** Returns one line with the current work, its progress, and what follows. */
export function renderProgress({ compiling, linking, downloads, next }: BuildProgress): string {
  const now: string[] = [];
  if (compiling !== undefined) {
    const { tools, packages, of } = compiling;
    now.push(`compiling ${count(packages)} of ${count(of)} packages for ${tools.join(', ')}`);
  }
  if (linking.length > 0) now.push(`linking ${linking.join(', ')}`);
  if (downloads !== undefined)
    now.push(`downloaded ${count(downloads.megabytes)} of about ${count(downloads.of)} MB`);
  if (next.length > 0) now.push(`then ${next.join(', ')}`);
  return now.join('; ');
}

const count = (value: number): string => Math.round(value).toLocaleString('en');
