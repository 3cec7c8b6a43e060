import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectRoot, runProcess } from '../../support/command';
import { missingTargets } from '../../support/links';

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'aks-wi-pages-'));
  const script = `import('${projectRoot}/packaging/pages.mjs').then(({ writePages }) => writePages('${folder}'))`;
  const { code, stderr } = await runProcess(process.execPath, ['-e', script]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (page: string) => readFileSync(path.join(folder, page), 'utf8');

it('the packaged pages link only to what is packaged', () => {
  const pages = readdirSync(folder).filter((name) => name.endsWith('.md'));
  expect(pages.length).toBeGreaterThan(40);
  const missing = pages.flatMap((page) =>
    missingTargets(path.join(folder, page)).map((target) => `${page}: ${target}`),
  );
  expect(missing).toEqual([]);
});

it('the packaged pages name the files that are only in the repository', () => {
  expect(read('packages.md')).toContain('changelog (in the repository: `CHANGELOG.md`)');
  expect(read('architecture.md')).toContain('`docs/architecture.dot`');
  expect(read('architecture.md')).toContain('`CONTRIBUTING.md` (in the repository)');
});

it('the packaged pages name the files that `init` writes as they are in the repository that it makes', () => {
  const pipelines = read('pipelines.md');
  expect(pipelines).toContain('Edit\n`bootstrap/Pulumi.pipelines.yaml` in the places');
  expect(pipelines).toContain('`.github/workflows/deploy.yml` for GitHub Actions');
  expect(read('applications.md')).toContain('\n`applications/orders.yaml` has the releases');
});

it('the packaged pages keep their other links, pictures and code', () => {
  expect(read('architecture.md')).toContain('![Overview](architecture.svg)');
  expect(read('packages.md')).toContain('[component resources](components.md)');
  const blocks = (text: string) => text.match(/```[\s\S]*?```/g);
  for (const page of ['packages.md', 'commands.md', 'applications.md'])
    expect(blocks(read(page))).toEqual(blocks(readFileSync(path.join(projectRoot, 'docs', page), 'utf8')));
});
