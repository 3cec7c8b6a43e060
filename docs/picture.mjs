// Draws the .dot files of this folder with Graphviz (as WebAssembly, nothing to install). `--check` only compares, for the tests.
import { readFile, writeFile } from 'node:fs/promises';
import { instance } from '@viz-js/viz';

const viz = await instance();
for (const name of ['architecture', 'token']) {
  const source = new URL(`./${name}.dot`, import.meta.url);
  const target = new URL(`./${name}.svg`, import.meta.url);
  const svg = viz.renderString(await readFile(source, 'utf8'), { format: 'svg', engine: 'dot' });
  if (!process.argv.includes('--check')) await writeFile(target, svg);
  else if ((await readFile(target, 'utf8')) !== svg) {
    console.error(`docs/${name}.svg is older than docs/${name}.dot. Run: npm run picture`);
    process.exitCode = 1;
  }
}
