// Makes the packages that others install, and their bill of materials: `node packaging/pack.mjs [folder]`. Each package is put
// together in a folder of its own, from which `npm pack` makes the archive. Nothing is published.
import { execFile } from 'node:child_process';
import { cp, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { writeBom } from './bom.mjs';
import { cliPackage, localcloudPackage } from './commands.mjs';
import { componentsPackage } from './components.mjs';
import { readManifest, root, writeManifest } from './manifest.mjs';
import { stacksPackage } from './stacks.mjs';

const run = promisify(execFile);

/** Folder in the project → function that writes all files of its package but the README, and returns its manifest. */
const packages = {
  components: componentsPackage,
  stacks: stacksPackage,
  localcloud: localcloudPackage,
  cli: cliPackage,
};

/** Packages whose README is for those who install it; that of the folder is for contributors. */
const readmes = { localcloud: 'packaging/localcloud.md' };

/** Writes the archives of the packages into a folder; returns their paths by folder of the project. */
export async function pack(outdir, names = Object.keys(packages)) {
  const archives = {};
  for (const name of names) {
    const folder = path.join(outdir, name);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const manifest = await packages[name](folder, await readManifest(name));
    await writeManifest(folder, manifest);
    await cp(path.join(root, readmes[name] ?? `${name}/README.md`), path.join(folder, 'README.md'));
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', outdir], { cwd: folder });
    archives[name] = path.join(outdir, JSON.parse(stdout)[0].filename);
  }
  return archives;
}

if (process.argv[1] === import.meta.filename) {
  const outdir = path.resolve(process.argv[2] ?? path.join(root, 'dist', 'packages'));
  for (const archive of Object.values(await pack(outdir))) console.log(path.relative('', archive));
  const bom = path.join(outdir, 'bom.cdx.json');
  await writeBom(bom);
  console.log(path.relative('', bom));
}
