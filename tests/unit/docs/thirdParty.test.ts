import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { recipes } from '../../../localcloud/toolchain/tools';
import { projectRoot } from '../../support/command';

const read = (file: string) => readFileSync(path.join(projectRoot, file), 'utf8');

it.each(Object.entries(recipes))(
  'the page on third-party software names the module of %s',
  (_tool, { release }) => {
    expect(read('docs/third-party.md')).toContain(`\`${release}\``);
  },
);

/** Folders in `under` that contain a file of the name. */
const foldersWith = (name: string, under: string) =>
  readdirSync(path.join(projectRoot, under), { recursive: true, encoding: 'utf8' })
    .filter((file) => path.basename(file) === name)
    .map((file) => `/${path.join(under, path.dirname(file))}`);

/** Folders that a configuration of Dependabot covers, by ecosystem. */
function updated(file: string): Record<string, string[]> {
  const { updates } = parse(read(file)) as {
    updates: { 'package-ecosystem': string; directory?: string; directories?: string[] }[];
  };
  return Object.fromEntries(
    updates.map(({ 'package-ecosystem': ecosystem, directory = '', directories = [directory] }) => [
      ecosystem,
      directories.toSorted(),
    ]),
  );
}

it('the updates cover every package, Go module, image, action and container', () => {
  expect(updated('.github/dependabot.yml')).toEqual({
    npm: ['/'],
    gomod: foldersWith('go.mod', 'localcloud/toolchain/modules').toSorted(),
    docker: foldersWith('Dockerfile', 'examples').toSorted(),
    devcontainers: foldersWith('devcontainer.json', '.devcontainer').length === 1 ? ['/'] : [],
    'github-actions': ['/', ...foldersWith('action.yml', '.github/actions')],
  });
});

it('a repository that `init` makes has updates of its packages and of the actions in its workflows', () => {
  expect(updated('cli/init/files/.github/dependabot.yml')).toEqual({
    npm: ['/'],
    'github-actions': ['/', ...foldersWith('action.yml', '.github/actions')],
  });
});
