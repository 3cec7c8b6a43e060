import type { Tool } from './tools';

/** How far a build of the toolchain is. */
export interface BuildProgress {
  /** What is compiled now; absent before the first package and after the last. */
  compiling?: { tools: readonly Tool[]; packages: number; of: number };
  /** What is linked, which for a large program takes half a minute. */
  linking: readonly Tool[];
  /** Modules that were fetched so far; absent where none had to be. */
  downloads?: { megabytes: number; of: number };
  /** What comes after. */
  next: readonly Tool[];
}

/** One line that says what is done, how far it is, and what comes after. */
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

/** `0:07`, `12:30`. */
export function renderElapsed(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
}
