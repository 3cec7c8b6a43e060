import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot, runProcess } from '../../support/command';
import { missingTargets } from '../../support/links';

const docs = path.join(projectRoot, 'docs');
const pages = [projectRoot, docs].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join(folder, name)),
);

describe('the README', () => {
  const readme = readFileSync(path.join(projectRoot, 'README.md'), 'utf8');
  const others = pages.map((page) => path.relative(projectRoot, page)).filter((page) => page !== 'README.md');

  it.each(others)('points once to %s', (page) => {
    expect(readme.split(`](${page})`)).toHaveLength(2);
  });
});

describe('the documentation', () => {
  it.each([
    ['the reference tables', 'reference.mjs'],
    ['the picture', 'picture.mjs'],
  ])('has %s as generated from their sources', async (_what, script) => {
    const result = await runProcess(process.execPath, [path.join(docs, script), '--check']);
    expect(result.stderr).toBe('');
    expect(result.code).toBe(0);
  });

  it.each(pages.map((page) => [path.relative(projectRoot, page), page]))(
    '%s has no mark of a merge',
    (_name, page) => {
      expect(readFileSync(page, 'utf8')).not.toMatch(/^(<<<<<<<|=======|>>>>>>>|(> ){7})/m);
    },
  );

  it.each(pages.map((page) => [path.relative(projectRoot, page), page]))(
    '%s links only to files that exist',
    (_name, page) => {
      expect(missingTargets(page)).toEqual([]);
    },
  );
});
