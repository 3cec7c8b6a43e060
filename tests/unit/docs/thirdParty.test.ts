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

it('the updates cover every Go module', () => {
  const modules = 'localcloud/toolchain/modules';
  const folders = readdirSync(path.join(projectRoot, modules), { recursive: true, encoding: 'utf8' })
    .filter((file) => path.basename(file) === 'go.mod')
    .map((file) => `/${modules}/${path.dirname(file)}`);
  const { updates } = parse(read('.github/dependabot.yml')) as {
    updates: { 'package-ecosystem': string; directories?: string[] }[];
  };

  const gomod = updates.find((update) => update['package-ecosystem'] === 'gomod');
  expect(gomod?.directories?.toSorted()).toEqual(folders.toSorted());
});
