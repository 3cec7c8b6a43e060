// The engine starts this in any folder, and ts-node would use that folder's tsconfig.json, or none. So the components are
// transpiled here.
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
