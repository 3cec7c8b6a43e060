import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '..');

/** Reads a JSON file of the project. */
export const readJson = async (file) => JSON.parse(await readFile(path.join(root, file), 'utf8'));

/** Returns the part of a package.json that is the same in the project and in the package. No license is chosen yet. */
export async function readManifest(folder) {
  const [{ engines }, { private: _, scripts: __, ...own }] = await Promise.all([
    readJson('package.json'),
    readJson(`${folder}/package.json`),
  ]);
  return { ...own, engines, ...repository(folder) };
}

/** The repository of a workflow: npm compares it with the one that signed the provenance of a package. */
function repository(directory) {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env;
  return name ? { repository: { type: 'git', url: `git+${server}/${name}.git`, directory } } : {};
}

/** Pulumi's packages keep state, so a program has one copy of each: its own, of the same major version. */
export function withPeers(manifest, dependencies) {
  const isPulumi = ([name]) => name.startsWith('@pulumi/');
  const all = Object.entries(dependencies);
  return {
    ...manifest,
    dependencies: Object.fromEntries(all.filter((each) => !isPulumi(each))),
    peerDependencies: Object.fromEntries(
      all.filter(isPulumi).map(([name, version]) => [name, `^${version}`]),
    ),
    devDependencies: undefined,
  };
}

export const writeManifest = (folder, manifest) =>
  writeFile(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
