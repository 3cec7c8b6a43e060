// Builds the bundles and the toolchain before tests with time limits start.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { builder, bundles, outdir, programOptions } from '../../build.mjs';

const { ensureBuilt } = builder('built-for-tests.json', [
  {
    entries: { ...bundles, 'localcloud-tests': 'localcloud/tests/support/buildTools.ts' },
    options: programOptions,
  },
]);

export default async function prepare() {
  await ensureBuilt();
  const command = [path.join(outdir, 'localcloud-tests.cjs')];
  const { status } = spawnSync(process.execPath, command, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error('The toolchain could not be built; see above.');
}
