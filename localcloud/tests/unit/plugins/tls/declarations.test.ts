import { readFileSync } from 'node:fs';
import path from 'node:path';
import { extractShapes } from '../../../../plugins/resources/shapes/extract';
import recorded from '../../../../plugins/tls/shapes/shapes.json';
import { declaredTypes, types } from '../../../../plugins/tls/types';

// This proves that for a program, the plugin's inputs and outputs have the official names, kinds and
// requiredness.
const packageFolder = path.dirname(require.resolve('@pulumi/tls/package.json'));

describe('declarations of the npm package', () => {
  it('match the recorded ones, for every input and output of every type', () => {
    expect(extractShapes(packageFolder, declaredTypes())).toEqual(recorded);
    expect(Object.keys(recorded.resources).sort()).toEqual(Object.values(types).sort());
  });

  it('include the types that inputs and outputs refer to', () => {
    expect(recorded.types).toMatchObject({
      'inputs.SelfSignedCertSubject': { commonName: 'string', streetAddresses: '[string]' },
      'outputs.SelfSignedCertSubject': { commonName: 'string', streetAddresses: '[string]' },
    });
  });

  it.each(Object.values(types))('register %s', (token) => {
    const file = token.replace(/^tls:index\/(\w+):.*$/, '$1.js');
    const source = readFileSync(path.join(packageFolder, file), 'utf8');
    expect(source).toContain(`__pulumiType = '${token}';`);
  });
});
