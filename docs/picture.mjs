// Draws architecture.dot into architecture.svg with Graphviz (as WebAssembly, nothing to install).
// `--check` only compares, for the tests.
import { readFile, writeFile } from 'node:fs/promises';
import { instance } from '@viz-js/viz';

const source = new URL('./architecture.dot', import.meta.url);
const target = new URL('./architecture.svg', import.meta.url);

const viz = await instance();
const svg = viz.renderString(await readFile(source, 'utf8'), { format: 'svg', engine: 'dot' });
if (process.argv.includes('--check')) {
  if ((await readFile(target, 'utf8')) !== svg) {
    console.error('docs/architecture.svg is older than docs/architecture.dot. Run: npm run picture');
    process.exitCode = 1;
  }
} else {
  await writeFile(target, svg);
}
