import { readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { projectRoot } from '../../support/command';

// The local cloud names nothing of this project, so that another can use it. What it expects of a project is in
// localcloud/README.md. It does not prove that its tests pass elsewhere.

/** Files and folders of a project that localcloud/README.md asks for. */
const expected = ['', 'dist', 'localcloud.json', 'node_modules', 'package.json', 'Pulumi.yaml'];

const files = execFileSync('git', ['ls-files', 'localcloud'], { cwd: projectRoot, encoding: 'utf8' })
  .trim()
  .split('\n')
  .map((file) => ({ file, text: readFileSync(path.join(projectRoot, file), 'utf8') }));
const read = (file: string) => readFileSync(path.join(projectRoot, file), 'utf8');

it('has no name of this project', () => {
  const { command, script, variables, images } = JSON.parse(read('localcloud.json')) as {
    command: string;
    script: string;
    variables: string;
    images: Record<string, string>;
  };
  const project = /^name: (\S+)/m.exec(read('Pulumi.yaml'))?.[1] ?? '';
  const scripts = Object.keys(images).map((image) => `/${path.basename(image)}.cjs`);
  const words = [command, script, `${variables}_`, project, ...scripts];
  // The name of its own package has the scope of this project.
  const sources = files.filter(({ file }) => file !== 'localcloud/package.json');
  const found = sources.flatMap(({ file, text }) =>
    words.filter((word) => text.includes(word)).map((word) => `${file}: ${word}`),
  );
  expect(found).toEqual([]);
});

it('has no path of this project', () => {
  const found = files.flatMap(({ file, text }) =>
    [...text.matchAll(/['"`(](\.\.?\/[^'"`()\s$]*)/g)].flatMap(([, named = '']) => {
      const place = path.normalize(path.join(path.dirname(file), named)).replace(/\/$|^\.$/, '');
      const isInside = [...expected, 'localcloud'].some(
        (own) => place === own || (own !== '' && place.startsWith(`${own}/`)),
      );
      return isInside ? [] : [`${file}: ${named}`];
    }),
  );
  expect(found).toEqual([]);
});
