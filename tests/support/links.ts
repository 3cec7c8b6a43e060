import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const codeBlock = /```[\s\S]*?```/g;

/** Returns the targets of a page's relative links that do not exist. */
export function missingTargets(page: string): string[] {
  const text = readFileSync(page, 'utf8').replace(codeBlock, '');
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '');
  const local = targets.filter((target) => !/^https?:|^#/.test(target));
  return local.filter((target) => !existsSync(path.resolve(path.dirname(page), target.replace(/#.*$/, ''))));
}

/** Returns the files that the pages of a package link to, and those that its README names or imports, that it does not contain. */
export function missingInPackage(folder: string): string[] {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /^(README|docs\/[^/]+)\.md$/.test(file),
  );
  const missing = pages.flatMap((page) =>
    missingTargets(path.join(folder, page)).map((target) => `${page}: ${target}`),
  );
  const named = filesNamedIn(readFileSync(path.join(folder, 'README.md'), 'utf8'));
  return [...missing, ...named.filter((file) => !existsSync(path.join(folder, file)))];
}

/** Returns the files that a page names in code or imports, except in paragraphs on another place than the package. */
function filesNamedIn(page: string): string[] {
  const paragraphs = page.replace(codeBlock, '').split('\n\n');
  const here = paragraphs.filter((paragraph) => !/\bin the (repository|package)\b/i.test(paragraph));
  const named = here.join('\n\n').matchAll(/`([\w.-]*[./][\w./-]*)`/g);
  const imported = page.matchAll(/ from '(\.[^']+)'/g);
  return [...named, ...imported].map(([, file = '']) => file);
}
