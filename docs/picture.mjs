// Draws the .dot files of this folder with Graphviz (as WebAssembly, nothing to install). `--check` only compares, for the tests.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { instance } from '@viz-js/viz';

const viz = await instance();
const files = await readdir(new URL('.', import.meta.url));
for (const name of files.filter((file) => file.endsWith('.dot')).map((file) => file.slice(0, -4))) {
  const source = new URL(`./${name}.dot`, import.meta.url);
  const target = new URL(`./${name}.svg`, import.meta.url);
  const svg = viz.renderString(await readFile(source, 'utf8'), { format: 'svg', engine: 'dot' });
  if (!process.argv.includes('--check')) await writeFile(target, svg);
  else if ((await readFile(target, 'utf8')) !== svg) {
    console.error(`docs/${name}.svg is older than docs/${name}.dot. Run: npm run picture`);
    process.exitCode = 1;
  }
}
