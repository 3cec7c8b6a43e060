import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Returns the targets of a page's relative links that do not exist. */
export function missingTargets(page: string): string[] {
  const text = readFileSync(page, 'utf8').replace(/```[\s\S]*?```/g, '');
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '');
  const local = targets.filter((target) => !/^https?:|^#/.test(target));
  return local.filter((target) => !existsSync(path.resolve(path.dirname(page), target.replace(/#.*$/, ''))));
}
