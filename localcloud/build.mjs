// Bundles the programs of the local cloud that have a process of their own, so that they start quickly, and makes bundles for
// a project. They are in the project's folder `dist`.
import { mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
export const outdir = path.join(root, 'dist');

/** Bundle name in dist/ → entry file. */
export const bundles = {
  localcloud: 'localcloud/daemon/main.ts',
  'pulumi-resource-azure-native': 'localcloud/plugins/azure-native/main.ts',
  'pulumi-resource-azuread': 'localcloud/plugins/azuread/main.ts',
  'pulumi-resource-tls': 'localcloud/plugins/tls/main.ts',
  'pulumi-resource-kubernetes': 'localcloud/plugins/kubernetes/main.ts',
  'pulumi-language-nodejs': 'localcloud/toolchain/language-host/main.ts',
  'load-when-used': 'localcloud/toolchain/language-host/loadWhenUsed.ts',
};

/** The SDK loads these only to run a Pulumi program inside the process, which no bundle does. */
export const unused = ['typescript', 'ts-node', '@npmcli/arborist'];

/** The package `debug` uses it if it is installed. Only tools of the development need it, so it would be in a bundle by chance. */
export const byChance = ['supports-color'];

/** Options for all bundles. */
export const common = {
  absWorkingDir: root,
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  write: false,
  metafile: true,
  bundle: true,
  platform: 'node',
  target: 'node20',
  // Leaves a third of the text to read at each start. Names stay, for errors and stack traces.
  minifyWhitespace: true,
  minifySyntax: true,
  logLevel: 'warning',
  // Node warns of what packages use, as it does not do for packages that are not bundled: users cannot change it.
  banner: { js: 'process.noDeprecation = true;' },
};

/** Options for bundles of programs that load nothing else. */
export const programOptions = { ...common, external: [...unused, ...byChance] };

/** Beside the sources: how they are bundled, and the packages that are installed. */
const furtherInputs = ['localcloud/build.mjs', 'node_modules/.package-lock.json'];

/**
 * Length and time of the last change, by which a change is noticed; empty if there is no such file. Synchronous, because each
 * command asks for a thousand files, and promises would take ten times as long.
 */
function stateOf(input) {
  const state = statSync(path.join(root, input), { throwIfNoEntry: false });
  return state === undefined ? [] : [state.size, state.mtimeMs];
}

/** Bundles every entry. Bundles are renamed into place, so that a reader never sees half a file. */
async function build(groups, recordFile, scripts) {
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
    const results = await Promise.all(groups.map(({ entries, options }) => all(entries, options)));
    const sources = results
      .flatMap(({ metafile }) => Object.keys(metafile.inputs))
      .filter((input) => !/^(node_modules\/|empty:)/.test(input));
    const inputs = {};
    for (const input of [...furtherInputs, ...scripts, ...new Set(sources)]) {
      const state = stateOf(input);
      // What was edited during the build may not be in it.
      inputs[input] = state[1] < started ? state : 'edited';
    }
    const split = groups
      .filter(({ options }) => options.splitting)
      .flatMap(({ entries }) => Object.keys(entries));
    const isCommand = ([name]) => split.some((command) => name === `${command}.mjs`);
    const files = results
      .flatMap(({ outputFiles }) => outputFiles.map((file) => [path.basename(file.path), file.contents]))
      // A command comes after the parts that it imports.
      .sort((one, other) => Number(isCommand(one)) - Number(isCommand(other)));
    const outputs = files.map(([name]) => name);
    const before = await readRecord(recordFile);
    await rm(recordFile, { force: true });
    const record = [path.basename(recordFile), JSON.stringify({ inputs, outputs })];
    for (const [name, contents] of [...files, record]) {
      await writeFile(path.join(staging, name), contents);
      await rename(path.join(staging, name), path.join(outdir, name));
    }
    if (split.length > 0) await removeOldParts(new Set(outputs), before?.outputs ?? []);
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

const readRecord = (recordFile) =>
  readFile(recordFile, 'utf8').then(
    (text) => JSON.parse(text),
    () => undefined,
  );

async function isBuilt(recordFile) {
  const record = await readRecord(recordFile);
  if (record === undefined || !record.outputs.every((name) => existsSync(path.join(outdir, name))))
    return false;
  return Object.entries(record.inputs).every(([input, state]) => String(stateOf(input)) === String(state));
}

/**
 * Returns functions that make bundles in `dist`: at once, and only if one is missing or anything that they were made of has
 * changed.
 *
 * @param name name of the record of what they were made of
 * @param scripts further scripts that say how they are made
 */
export function builder(name, groups, scripts = []) {
  const recordFile = path.join(outdir, name);
  const make = () => build(groups, recordFile, scripts);
  return { build: make, ensureBuilt: async () => ((await isBuilt(recordFile)) ? undefined : make()) };
}
