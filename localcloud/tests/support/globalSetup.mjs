// Builds the bundles and the toolchain before tests with time limits start.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from '../../../build.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');

export default async function prepare() {
  await ensureBuilt();
  const command = [path.join(root, 'cli/bin.mjs'), 'toolchain', 'build', '--tests'];
  const { status } = spawnSync(process.execPath, command, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error('The toolchain could not be built; see above.');
}
