// The engine starts this from any folder, where ts-node would take that folder's tsconfig.json, or none: the components are
// transpiled here instead, whoever calls.
const { readFileSync } = require('node:fs');
const { transformSync } = require('esbuild');

require.extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(readFileSync(filename, 'utf8'), {
    loader: 'ts',
    format: 'cjs',
    target: 'node20',
    sourcefile: filename,
    sourcemap: 'inline',
  });
  module._compile(code, filename);
};
require('./provider.ts');
