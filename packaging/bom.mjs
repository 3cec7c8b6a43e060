import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { readJson, root, writeManifest } from './manifest.mjs';

const run = promisify(execFile);

/**
 * Writes the bill of materials of the packages in CycloneDX: the npm packages that they bundle or depend on, in the versions of
 * the lockfile. npm makes it from a copy of the project without development dependencies, because `npm sbom --omit dev` leaves
 * out each package that one of these needs too. The Go modules of the local cloud's programs follow.
 */
export async function writeBom(file) {
  const { name, workspaces } = await readJson('package.json');
  const temporary = await mkdtemp(path.join(tmpdir(), 'bom-'));
  try {
    // npm names the project after its folder.
    const project = path.join(temporary, name);
    for (const folder of ['.', ...workspaces]) {
      await mkdir(path.join(project, folder), { recursive: true });
      const { devDependencies: _, ...manifest } = await readJson(path.join(folder, 'package.json'));
      await writeManifest(path.join(project, folder), manifest);
    }
    await cp(path.join(root, 'package-lock.json'), path.join(project, 'package-lock.json'));
    // Offline, so nothing but the lockfile decides a version.
    const npm = (...args) => run('npm', args, { cwd: project, maxBuffer: 2 ** 26 });
    await npm('install', '--package-lock-only', '--offline');
    const { stdout } = await npm('sbom', '--sbom-format', 'cyclonedx', '--package-lock-only');
    const bom = JSON.parse(stdout);
    bom.components.push(...(await goModules()));
    await writeFile(file, JSON.stringify(bom, null, 2));
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** The Go modules whose code or charts the local cloud uses: those whose contents, not only whose go.mod, have a hash in go.sum. */
async function goModules() {
  const folder = path.join(root, 'localcloud', 'toolchain', 'modules');
  const files = (await readdir(folder, { recursive: true })).filter(
    (file) => path.basename(file) === 'go.sum',
  );
  const sums = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')));
  const modules = new Map();
  for (const [, name, version] of sums.join('').matchAll(/^(\S+) ([^\s/]+) h1:/gm)) {
    const purl = `pkg:golang/${name.toLowerCase()}@${encodeURIComponent(version)}`;
    modules.set(purl, { 'bom-ref': purl, type: 'library', name, version, purl });
  }
  return [...modules.keys()].sort().map((purl) => modules.get(purl));
}
