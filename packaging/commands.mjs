import { cp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bundles, commandBundles, dryRunBundles } from '../build.mjs';
import { bundle, writeLicenses } from './bundle.mjs';
import { readJson, root } from './manifest.mjs';
import { writePages } from './pages.mjs';
import { reconcilerPrograms } from './stacks.mjs';

const copy = (folder, file) => cp(path.join(root, file), path.join(folder, file), { recursive: true });

const { 'localcloud-commands': localCommands, ...productCommands } = commandBundles;

/** The command, in bundles that need no other package but the local cloud. */
export async function cliPackage(folder, manifest) {
  const bundled = await bundle(folder, { commandBundles: productCommands, dryRunBundles });
  const programs = await reconcilerPrograms(path.join(folder, 'dist'));
  await writeLicenses(folder, [...bundled, ...programs]);
  // What `init` writes.
  const shared = await readJson('cli/init/sharedFiles.json');
  const scripts = ['cli/bin.mjs', 'cli/colors.mjs', 'cli/nodeVersion.mjs'];
  for (const file of [...scripts, 'cli/init/files', ...shared]) await copy(folder, file);
  // What messages name.
  await writePages(path.join(folder, 'docs'));
  const { version } = manifest;
  return {
    ...manifest,
    type: 'module',
    bin: { 'aks-wi': 'cli/bin.mjs' },
    exports: { './package.json': './package.json' },
    dependencies: { '@aks-workload-identity/localcloud': version },
  };
}

/** The local cloud, in bundles that need no other package, and the Go modules from which it builds its programs. */
export async function localcloudPackage(folder, { dependencies: _, devDependencies: __, ...manifest }) {
  await writeLicenses(
    folder,
    await bundle(folder, { commandBundles: { 'localcloud-commands': localCommands }, bundles }),
  );
  await copy(folder, 'localcloud/toolchain/modules');
  // The name of the program's project.
  await copy(folder, 'Pulumi.yaml');
  const settings = await readJson('localcloud.json');
  const command = { 'ghcr.io/aks-workload-identity/fleet': '../cli/cli/bin.mjs' };
  await writeFile(
    path.join(folder, 'localcloud.json'),
    JSON.stringify({ ...settings, charts: 'charts', images: { ...settings.images, ...command } }),
  );
  return {
    ...manifest,
    type: 'commonjs',
    exports: { './commands': './dist/localcloud-commands.mjs', './package.json': './package.json' },
  };
}
