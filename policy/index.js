// The engine's entry point. One bundle in memory loads faster than ts-node.
const path = require('node:path');
const { buildSync } = require('esbuild');

const entry = path.join(__dirname, 'pack.ts');
const { outputFiles } = buildSync({
  entryPoints: [entry],
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  sourcemap: 'inline',
  write: false,
});
module._compile(outputFiles[0].text, entry);
