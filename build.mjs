// Bundles every program with a process of its own (the command, the local cloud, its plugins, the example
// application) into dist/, so that it starts quickly. So are the Pulumi program and the policy pack, which the local
// cloud's language host runs from here; Pulumi's own language host runs their sources.
import { mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(fileURLToPath(import.meta.url));
const outdir = path.join(root, 'dist');
/** What the bundles were made of, and their files. It is written last, so that it stands for all bundles. */
const recordFile = path.join(outdir, 'built.json');

/** The command: it is split, so that each command loads only its own part. Bundle name in dist/ → entry file. */
export const commandBundles = {
  cli: 'cli/main.ts',
  'local-product': 'cli/localProduct.ts',
  'localcloud-commands': 'localcloud/commands/main.ts',
};

export const bundles = {
  localcloud: 'localcloud/daemon/main.ts',
  'pulumi-resource-azure-native': 'localcloud/plugins/azure-native/main.ts',
  'pulumi-resource-azuread': 'localcloud/plugins/azuread/main.ts',
  'pulumi-resource-tls': 'localcloud/plugins/tls/main.ts',
  'pulumi-resource-kubernetes': 'localcloud/plugins/kubernetes/main.ts',
  'pulumi-language-nodejs': 'localcloud/toolchain/language-host/main.ts',
  'load-when-used': 'localcloud/toolchain/language-host/loadWhenUsed.ts',
  reader: 'examples/reader/main.ts',
};

/** Programs that the engine runs. */
export const engineBundles = {
  program: 'index.ts',
  'policy-pack': 'policy/pack.ts',
};

/** The program without an engine, whose only copy of Pulumi's packages is in its bundle. */
export const dryRunBundles = {
  'dry-run': 'stacks/dryRun/main.ts',
};

/** The package `debug` uses it if it is installed. Only tools of the development need it, so it would be in a bundle by chance. */
const byChance = ['supports-color'];

/** Options for all bundles. */
const common = {
  absWorkingDir: root,
  write: false,
  metafile: true,
  bundle: true,
  platform: 'node',
  target: 'node20',
  // Leaves a third of the text to read at each start. Names stay, for errors and stack traces.
  minifyWhitespace: true,
  minifySyntax: true,
  logLevel: 'warning',
};

/** Beside the sources: how they are bundled, and the packages that are installed. */
const furtherInputs = ['build.mjs', 'node_modules/.package-lock.json'];

/** The SDK loads these only to run a Pulumi program inside the process, which no bundle does. */
const unused = ['typescript', 'ts-node', '@npmcli/arborist'];

/**
 * Stands in for packages that the SDK loads at its start, and needs only later or never.
 *
 * @param importer only where a file whose path ends so loads them
 */
const empty = (packages, importer = '') => ({
  name: 'empty',
  setup(plugin) {
    plugin.onResolve({ filter: new RegExp(`^(${packages.join('|')})$`) }, (request) =>
      request.importer.endsWith(importer) ? { path: request.path, namespace: 'empty' } : undefined,
    );
    plugin.onLoad({ filter: /.*/, namespace: 'empty' }, () => ({ contents: '' }));
  },
});

const extension = (format) => (format === 'esm' ? '.mjs' : '.cjs');

/** `require` for packages in CommonJS, which ask for Node's modules by it. */
const withRequire = `import { createRequire as __createRequire } from 'node:module';
const require = __createRequire(import.meta.url);`;

/** Options for the bundles of each kind. */
export const bundleOptions = {
  bundles: { ...common, format: 'cjs', external: [...unused, ...byChance] },
  // Pulumi's packages keep state: all code in the process shares one copy.
  engineBundles: { ...common, format: 'cjs', external: ['@pulumi/*', 'esbuild', ...byChance] },
  dryRunBundles: {
    ...common,
    format: 'cjs',
    // It asks no cluster and no cloud.
    external: ['@kubernetes/client-node', '@azure/arm-containerservice', 'esbuild', ...byChance],
    plugins: [empty(unused)],
  },
  commandBundles: {
    ...common,
    format: 'esm',
    splitting: true,
    chunkNames: '[name]-[hash]',
    banner: { js: withRequire },
    define: { __dirname: 'import.meta.dirname', __filename: 'import.meta.filename' },
    external: [...unused, ...byChance],
    // With it, the SDK's errors recognize those of the engine, with which the command does not speak.
    plugins: [empty(['@grpc/grpc-js'], '/@pulumi/pulumi/errors.js')],
  },
};
for (const options of Object.values(bundleOptions))
  options.outExtension = { '.js': extension(options.format) };

/**
 * Length and time of the last change, by which a change is noticed; empty if there is no such file. Synchronous, because each
 * command asks for a thousand files, and promises would take ten times as long.
 */
function stateOf(input) {
  const state = statSync(path.join(root, input), { throwIfNoEntry: false });
  return state === undefined ? [] : [state.size, state.mtimeMs];
}

/** Bundles every entry. Bundles are renamed into place, so that a reader never sees half a file. */
export async function build() {
  const { build: bundle, stop } = await import('esbuild');
  const started = Date.now();
  const staging = path.join(outdir, `.staging-${process.pid}`);
  await mkdir(staging, { recursive: true });
  try {
    const all = (entries, options) =>
      bundle({
        ...options,
        entryPoints: entries,
        // Paths in source maps are those from here.
        outdir,
        sourcemap: 'linked',
        // The sources are here. Without their text, a map is read in half the time.
        sourcesContent: false,
      });
    const results = await Promise.all([
      all(bundles, bundleOptions.bundles),
      all(engineBundles, bundleOptions.engineBundles),
      all(dryRunBundles, bundleOptions.dryRunBundles),
      all(commandBundles, bundleOptions.commandBundles),
    ]);
    const sources = results
      .flatMap(({ metafile }) => Object.keys(metafile.inputs))
      .filter((input) => !/^(node_modules\/|empty:)/.test(input));
    const inputs = {};
    for (const input of [...furtherInputs, ...new Set(sources)]) {
      const state = stateOf(input);
      // What was edited during the build may not be in it.
      inputs[input] = state[1] < started ? state : 'edited';
    }
    const isCommand = ([name]) => Object.keys(commandBundles).some((command) => name === `${command}.mjs`);
    const files = results
      .flatMap(({ outputFiles }) => outputFiles.map((file) => [path.basename(file.path), file.contents]))
      // A command comes after the parts that it imports.
      .sort((one, other) => Number(isCommand(one)) - Number(isCommand(other)));
    const outputs = files.map(([name]) => name);
    const before = await readRecord();
    await rm(recordFile, { force: true });
    const record = [path.basename(recordFile), JSON.stringify({ inputs, outputs })];
    for (const [name, contents] of [...files, record]) {
      await writeFile(path.join(staging, name), contents);
      await rename(path.join(staging, name), path.join(outdir, name));
    }
    await removeOldParts(new Set(outputs), before?.outputs ?? []);
  } finally {
    // Otherwise its process keeps two gigabytes until the command ends, as long as the first `up` takes.
    await stop();
    await rm(staging, { recursive: true, force: true });
  }
}

/**
 * Removes the parts of earlier commands an hour after they were replaced: until then, a command that still runs may load its own.
 */
async function removeOldParts(current, replaced) {
  const now = new Date();
  for (const name of await readdir(outdir)) {
    if (!/-[A-Z0-9]{8}\.mjs(\.map)?$/.test(name) || current.has(name)) continue;
    const file = path.join(outdir, name);
    if (replaced.includes(name)) await utimes(file, now, now).catch(() => undefined);
    const [, changed = 0] = stateOf(path.relative(root, file));
    if (now.getTime() - changed > 60 * 60_000) await rm(file, { force: true });
  }
}

const readRecord = () =>
  readFile(recordFile, 'utf8').then(
    (text) => JSON.parse(text),
    () => undefined,
  );

async function isBuilt() {
  const record = await readRecord();
  if (record === undefined || !record.outputs.every((name) => existsSync(path.join(outdir, name))))
    return false;
  return Object.entries(record.inputs).every(([input, state]) => String(stateOf(input)) === String(state));
}

/** Bundles again if a bundle is missing, or anything that they were made of has changed. */
export async function ensureBuilt() {
  if (!(await isBuilt())) await build();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build();
