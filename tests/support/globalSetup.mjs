// Tests that start the project's own processes need the bundles and the toolchain, built before any test's time runs.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from '../../build.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

export default async function prepare() {
  await ensureBuilt();
  const { status } = spawnSync(process.execPath, [path.join(root, 'cli/bin.mjs'), 'toolchain', 'build'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error('The toolchain could not be built; see above.');
}
