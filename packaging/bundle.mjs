import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { bundleOptions } from '../build.mjs';
import { readJson, root } from './manifest.mjs';

/**
 * Writes bundles into the folder `dist` of a package. Returns the files that are in them.
 *
 * @param kinds entries by kind of bundle (`bundleOptions` of build.mjs)
 */
export async function bundle(folder, kinds) {
  const results = await Promise.all(
    Object.entries(kinds).map(([kind, entryPoints]) =>
      build({ ...bundleOptions[kind], entryPoints, outdir: path.join(folder, 'dist'), write: true }),
    ),
  );
  return results.flatMap(({ metafile }) => Object.keys(metafile.inputs));
}

/** Writes the licenses of the packages that these bundled files are of. */
export async function writeLicenses(folder, inputs) {
  const packages = new Set(
    inputs.flatMap((input) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []),
  );
  const licenses = await Promise.all([...packages].sort().map(licenseOf));
  await writeFile(path.join(folder, 'THIRD-PARTY-LICENSES.txt'), licenses.join('\n'));
}

/** The license of a bundled package: the text that it comes with, else the name in its package.json. */
async function licenseOf(folder) {
  const place = path.join(root, folder);
  const { name, version, license } = await readJson(path.join(folder, 'package.json'));
  const files = (await readdir(place)).filter((file) => /^(licen[cs]e|notice)/i.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(path.join(place, file), 'utf8')));
  return `${name} ${version} (${license})\n\n${texts.map((text) => `${text.trim()}\n\n`).join('')}`;
}
