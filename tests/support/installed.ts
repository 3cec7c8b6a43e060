import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectRoot, runProcess } from './command';

/** Runs a program in a folder, and returns its output; throws with all output if it fails. */
export async function succeedIn(cwd: string, file: string, args: readonly string[], env = {}) {
  const { code, stdout, stderr } = await runProcess(file, args, env, { cwd });
  if (code !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${code}\n${stdout}\n${stderr}`);
  return stdout;
}

/** Makes the archives that `npm install` gets; returns their paths by folder of the project. */
export async function packed(outdir: string, ...names: string[]): Promise<Record<string, string>> {
  const script = `import('${projectRoot}/packaging/pack.mjs').then(async ({ pack }) =>
    console.log(JSON.stringify(await pack('${outdir}', ${JSON.stringify(names)}))))`;
  return JSON.parse(await succeedIn(projectRoot, process.execPath, ['-e', script])) as Record<string, string>;
}

/** Makes the archives of packages that `packed` made again, as those of another version; returns their paths. */
export async function packedAs(version: string, outdir: string, names: readonly string[]): Promise<string[]> {
  const archives: string[] = [];
  for (const name of names) {
    const file = path.join(outdir, name, 'package.json');
    const manifest = JSON.parse(await readFile(file, 'utf8')) as { dependencies?: Record<string, string> };
    const dependencies = Object.entries(manifest.dependencies ?? {}).map(([dependency, its]) => [
      dependency,
      dependency.startsWith('@aks-workload-identity/') ? version : its,
    ]);
    const changed = { ...manifest, version, dependencies: Object.fromEntries(dependencies) as object };
    await writeFile(file, JSON.stringify(changed));
    const args = ['pack', '--json', '--pack-destination', outdir];
    const [created] = JSON.parse(await succeedIn(path.dirname(file), 'npm', args)) as { filename: string }[];
    archives.push(path.join(outdir, created?.filename ?? ''));
  }
  return archives;
}

/** Writes the bill of materials of the packages; returns the names and versions in it, those of Go after `pkg:golang/`. */
export async function billOfMaterials(file: string): Promise<string[]> {
  const script = `import('${projectRoot}/packaging/bom.mjs').then(({ writeBom }) => writeBom('${file}'))`;
  await succeedIn(projectRoot, process.execPath, ['-e', script]);
  const { components } = JSON.parse(await readFile(file, 'utf8')) as { components: { purl: string }[] };
  return components.map(({ purl }) => decodeURIComponent(purl.replace(/^pkg:npm\//, '')));
}

/** A project of somebody else, outside the repository, with nothing but the archives. */
export async function emptyProject(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'project-'));
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ private: true }));
  return folder;
}

/** Settings of npm with which it installs only what is named, without scripts and without a registry. */
export const installation = Object.fromEntries(
  [
    ...['ignore_scripts', 'legacy_peer_deps', 'prefer_offline'].map((name) => [name, 'true']),
    ...['audit', 'fund', 'package_lock'].map((name) => [name, 'false']),
  ].map(([name, value]) => [`npm_config_${name}`, value]),
) as Record<string, string>;

/**
 * Installs archives with npm. The packages that they only ask for (`linked`) are large: they are links to those of the
 * repository, which are in the same version.
 */
export async function install(folder: string, archives: readonly string[], linked: readonly string[]) {
  await succeedIn(folder, 'npm', ['install', ...archives], installation);
  await link(folder, linked);
}

/** Links packages of the repository into another one. */
export async function link(folder: string, names: readonly string[]) {
  for (const name of names) {
    const target = path.join(folder, 'node_modules', name);
    await rm(target, { recursive: true, force: true });
    await mkdir(path.dirname(target), { recursive: true });
    await symlink(path.join(projectRoot, 'node_modules', name), target);
  }
}
