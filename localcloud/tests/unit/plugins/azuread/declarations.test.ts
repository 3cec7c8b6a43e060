import { readFileSync } from 'node:fs';
import path from 'node:path';
import recorded from '../../../../plugins/azuread/shapes/shapes.json';
import { declaredTypes, functions, types } from '../../../../plugins/azuread/types';
import { extractShapes } from '../../../../plugins/resources/shapes/extract';

// This proves that for a program, the plugin's inputs and outputs have the official names, kinds and
// requiredness.
const packageFolder = path.dirname(require.resolve('@pulumi/azuread/package.json'));

function source(token: string): string {
  const [, file = ''] = /^azuread:index\/(\w+):/.exec(token) ?? [];
  return readFileSync(path.join(packageFolder, `${file}.js`), 'utf8');
}

describe('declarations of the npm package', () => {
  it('match the recorded ones, for every input and output of every type and function', () => {
    expect(extractShapes(packageFolder, declaredTypes())).toEqual(recorded);
    expect(Object.keys(recorded.resources).sort()).toEqual(Object.values(types).sort());
    expect(Object.keys(recorded.functions).sort()).toEqual(Object.values(functions).sort());
  });

  it.each(Object.values(types))('register %s', (token) => {
    expect(source(token)).toContain(`__pulumiType = '${token}';`);
  });

  it.each(Object.values(functions))('invoke %s', (token) => {
    expect(source(token)).toContain(`invoke("${token}"`);
  });
});
