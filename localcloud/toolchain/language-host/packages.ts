import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';

/** A resource plugin that an installed npm package requires. */
export interface RequiredPlugin {
  name: string;
  version: string;
  server: string;
}

interface Manifest {
  name?: string;
  version?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  pulumi?: { resource?: boolean; name?: string; version?: string; server?: string };
}

/**
 * Returns the plugins of all packages that a program could load: of each package.json with `pulumi.resource`. The
 * local cloud has exactly these versions installed, so nothing is downloaded.
 */
export async function requiredPlugins(programDirectory: string): Promise<RequiredPlugin[]> {
  const plugins = new Map<string, RequiredPlugin>();
  for (const manifest of await installedManifests(programDirectory)) {
    const { name, version, pulumi } = manifest;
    if (pulumi?.resource !== true || name === undefined || version === undefined) continue;
    const plugin = {
      name: pulumi.name ?? name.replace(/^@pulumi\//, ''),
      version: `v${(pulumi.version ?? version).replace(/^v/, '')}`,
      server: pulumi.server ?? '',
    };
    plugins.set(`${plugin.name} ${plugin.version}`, plugin);
  }
  return [...plugins.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns the packages in the program's package.json, with their installed versions. */
export async function directDependencies(
  programDirectory: string,
): Promise<{ name: string; version: string }[]> {
  const manifest = await readManifest(programDirectory);
  const names = new Set(Object.keys({ ...manifest?.dependencies, ...manifest?.devDependencies }));
  return (await installedDependencies(programDirectory)).filter(({ name }) => names.has(name));
}

/** Returns all installed packages of the program. */
export async function installedDependencies(
  programDirectory: string,
): Promise<{ name: string; version: string }[]> {
  const packages = new Map<string, { name: string; version: string }>();
  for (const { name, version } of await installedManifests(programDirectory)) {
    if (name !== undefined && version !== undefined && !packages.has(name))
      packages.set(name, { name, version });
  }
  return [...packages.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns the manifests in the node_modules folders that Node searches from the program, nearest first. */
async function installedManifests(programDirectory: string): Promise<Manifest[]> {
  const manifests: Manifest[] = [];
  for (let folder = path.resolve(programDirectory); ; folder = path.dirname(folder)) {
    manifests.push(...(await manifestsIn(path.join(folder, 'node_modules'))));
    if (path.dirname(folder) === folder) return manifests;
  }
}

async function manifestsIn(modules: string): Promise<Manifest[]> {
  const names = await readdir(modules).catch(() => []);
  const nested = await Promise.all(
    names.map(async (name) => {
      if (name.startsWith('.')) return [];
      if (name.startsWith('@')) return manifestsIn(path.join(modules, name));
      const manifest = await readManifest(path.join(modules, name));
      return manifest === undefined ? [] : [manifest];
    }),
  );
  return nested.flat();
}

async function readManifest(folder: string): Promise<Manifest | undefined> {
  try {
    return JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as Manifest;
  } catch {
    return undefined;
  }
}
