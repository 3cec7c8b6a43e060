import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readJson, root } from './manifest.mjs';

/** Matches a block of code, or a link with its text and target. */
const blockOrLink = /^ *```[\s\S]*?^ *```$|\[([^\]]+)\]\(([^)\s#]+)(?:#[^)\s]*)?\)/gm;

/** Writes the documentation into a folder. Links to files outside the documentation become their paths. */
export async function writePages(folder) {
  const docs = path.join(root, 'docs');
  const files = (await readdir(docs)).filter((file) => /\.(md|svg)$/.test(file));
  const shared = await readJson('cli/init/sharedFiles.json');
  const isWritten = (file) => shared.some((place) => file === place || file.startsWith(`${place}/`));
  await mkdir(folder, { recursive: true });
  for (const file of files) {
    const [from, to] = [path.join(docs, file), path.join(folder, file)];
    if (file.endsWith('.md'))
      await writeFile(to, withoutLinks(await readFile(from, 'utf8'), files, isWritten));
    else await cp(from, to);
  }
}

/**
 * Replaces the links of a page to other files than those of the package.
 *
 * @param isWritten tells whether `init` writes a file
 */
const withoutLinks = (page, packaged, isWritten) =>
  page.replace(blockOrLink, (whole, text, target) => {
    if (target === undefined || /^https?:/.test(target) || packaged.includes(target)) return whole;
    const file = path.posix.join('docs', target);
    if (isWritten(file)) return text.replaceAll('`', '') === file ? `\`${file}\`` : `${text} (\`${file}\`)`;
    return text.replaceAll('`', '') === file
      ? `\`${file}\` (in the repository)`
      : `${text} (in the repository: \`${file}\`)`;
  });
