import { cp, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { writeLicenses } from './bundle.mjs';
import { compile } from './compile.mjs';
import { readJson, readManifest, root, withPeers } from './manifest.mjs';

const common = {
  ...{ absWorkingDir: root, bundle: true, packages: 'external', platform: 'node', format: 'cjs' },
  ...{ target: 'node20', logLevel: 'warning', metafile: true },
};

/**
 * The program of an environment, that of the pipelines' identities, and the policy pack, bundled: with the components, and
 * without the packages of others.
 */
export async function stacksPackage(folder, manifest) {
  const { metafile } = await build({
    ...common,
    entryPoints: {
      index: 'stacks/program.ts',
      outputs: 'stacks/outputs/stackReference.ts',
      bootstrap: 'bootstrap/program.ts',
      'policy/index': 'policy/pack.ts',
    },
    outdir: folder,
  });
  await cp(path.join(root, 'policy', 'PulumiPolicy.yaml'), path.join(folder, 'policy', 'PulumiPolicy.yaml'));
  await writeFile(path.join(folder, 'policy', 'index.d.ts'), 'export {};\n');
  await writeLicenses(folder, await reconcilerPrograms(folder));
  await cp(path.join(root, 'schemas'), path.join(folder, 'schemas'), { recursive: true });
  const types = path.join(folder, 'types');
  await mkdir(types);
  await compile(types, {
    rootDir: '.',
    files: ['stacks/program.ts', 'stacks/outputs/stackReference.ts', 'bootstrap/program.ts'],
    emitDeclarationOnly: true,
  });
  return withPeers(
    {
      ...manifest,
      main: './index.js',
      types: './types/stacks/program.d.ts',
      exports: {
        '.': { types: './types/stacks/program.d.ts', default: './index.js' },
        './outputs': { types: './types/stacks/outputs/stackReference.d.ts', default: './outputs.js' },
        './bootstrap': { types: './types/bootstrap/program.d.ts', default: './bootstrap.js' },
        // It exports nothing: Pulumi runs it.
        './policy': { types: './policy/index.d.ts', default: './policy/index.js' },
        './package.json': './package.json',
      },
      // For TypeScript with `moduleResolution: node`.
      typesVersions: {
        '*': {
          outputs: ['./types/stacks/outputs/stackReference.d.ts'],
          bootstrap: ['./types/bootstrap/program.d.ts'],
          policy: ['./policy/index.d.ts'],
        },
      },
    },
    await versionsOf(importedPackages(metafile)),
  );
}

/**
 * Writes the programs that run in clusters, as stacks/deploy/reconcilerProgram.ts reads and else bundles them. Returns the files
 * that are in them.
 */
export async function reconcilerPrograms(folder) {
  const options = await readJson('stacks/deploy/reconcilerBundle.json');
  const inputs = [];
  for (const program of ['accessWindows/main', 'connections', 'tokenEvents/main']) {
    const { outputFiles, metafile } = await build({
      ...options,
      metafile: true,
      absWorkingDir: root,
      entryPoints: [`reconciler/${program}.ts`],
    });
    const file = path.join(folder, 'reconciler', `${program}.js`);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, outputFiles[0].text);
    inputs.push(...Object.keys(metafile.inputs));
  }
  return inputs;
}

function importedPackages({ outputs }) {
  const imported = Object.values(outputs)
    .flatMap(({ imports }) => imports)
    .filter(({ path: name, external }) => external && !name.startsWith('node:'));
  const packageOf = ({ path: name }) =>
    name
      .split('/')
      .slice(0, name.startsWith('@') ? 2 : 1)
      .join('/');
  return [...new Set(imported.map(packageOf))].sort();
}

async function versionsOf(names) {
  const known = { ...(await dependenciesOf('components')), ...(await dependenciesOf('.')) };
  return Object.fromEntries(names.filter((name) => name in known).map((name) => [name, known[name]]));
}

const dependenciesOf = async (folder) => (await readManifest(folder)).dependencies;
