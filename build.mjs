// Bundles every program with a process of its own (the command, the local cloud, its plugins, the example
// application) into dist/, so that it starts quickly. So are the Pulumi program and the policy pack, which the local
// cloud's language host runs from here; Pulumi's own language host runs their sources.
import { readdir, stat, mkdir, rename, rm, utimes } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(fileURLToPath(import.meta.url));
const outdir = path.join(root, 'dist');
/** The bundle whose modification time stands for all bundles. */
const marker = 'cli.cjs';

/** Bundle name in dist/ → entry file. */
export const bundles = {
  cli: 'cli/main.ts',
  'localcloud-commands': 'localcloud/commands/main.ts',
  localcloud: 'localcloud/daemon/main.ts',
  'pulumi-resource-azure-native': 'localcloud/plugins/azure-native/main.ts',
  'pulumi-resource-azuread': 'localcloud/plugins/azuread/main.ts',
  'pulumi-resource-tls': 'localcloud/plugins/tls/main.ts',
  'pulumi-resource-kubernetes': 'localcloud/plugins/kubernetes/main.ts',
  'pulumi-language-nodejs': 'localcloud/toolchain/language-host/main.ts',
  'load-when-used': 'localcloud/toolchain/language-host/loadWhenUsed.ts',
  reader: 'examples/reader/main.ts',
};

/** What the engine runs. Pulumi's packages keep state, so they are not bundled: all code in the process shares one copy. */
const engineBundles = {
  program: 'index.ts',
  'policy-pack': 'policy/pack.ts',
};

const sourceFolders = [
  'cli',
  'components',
  'stacks',
  'policy',
  'reconciler',
  'verification',
  'localcloud',
  'examples',
];
const sourceFiles = ['build.mjs', 'index.ts', 'package-lock.json'];

async function newest(folder) {
  let latest = 0;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (['node_modules', 'tests'].includes(entry.name)) continue;
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) latest = Math.max(latest, await newest(file));
    else if (entry.name.endsWith('.ts')) latest = Math.max(latest, (await stat(file)).mtimeMs);
  }
  return latest;
}

async function newestSource() {
  const folders = sourceFolders.map((name) => path.join(root, name)).filter((folder) => existsSync(folder));
  const times = await Promise.all([
    ...folders.map((folder) => newest(folder)),
    ...sourceFiles.map(async (file) => (await stat(path.join(root, file))).mtimeMs),
  ]);
  return Math.max(...times);
}

/** Bundles every entry. Bundles are renamed into place, so that a reader never sees half a file. */
export async function build() {
  const { build: bundle } = await import('esbuild');
  const started = new Date();
  const staging = path.join(root, 'dist', `.staging-${process.pid}`);
  await mkdir(staging, { recursive: true });
  try {
    const all = (entries, options) =>
      bundle({
        entryPoints: Object.fromEntries(
          Object.entries(entries).map(([name, file]) => [name, path.join(root, file)]),
        ),
        outdir: staging,
        outExtension: { '.js': '.cjs' },
        bundle: true,
        platform: 'node',
        format: 'cjs',
        target: 'node20',
        sourcemap: 'linked',
        // Leaves a third of the text to read at each start. Names stay, for errors and stack traces.
        minifyWhitespace: true,
        minifySyntax: true,
        logLevel: 'warning',
        ...options,
      });
    await Promise.all([
      // The SDK loads these only to run a Pulumi program inside the process, which none of them does.
      all(bundles, { external: ['typescript', 'ts-node', '@npmcli/arborist'] }),
      all(engineBundles, { external: ['@pulumi/*', 'esbuild'] }),
    ]);
    // The marker is renamed last, so that it implies all others. It has the start time of the build, so that sources
    // edited during the build count as newer.
    await utimes(path.join(staging, marker), started, started);
    const files = (await readdir(staging)).sort(
      (one, other) => Number(one === marker) - Number(other === marker),
    );
    for (const file of files) await rename(path.join(staging, file), path.join(outdir, file));
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Bundles again only if a source is newer than the bundles. */
export async function ensureBuilt() {
  const file = path.join(outdir, marker);
  const built = existsSync(file) ? (await stat(file)).mtimeMs : 0;
  if (built <= (await newestSource())) await build();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build();
