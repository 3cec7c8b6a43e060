// Builds the bundles of the product, and what the local cloud's own tests build, before tests with time limits start.
import { ensureBuilt } from '../../build.mjs';
import prepareLocalCloud from '../../localcloud/tests/support/globalSetup.mjs';

export default async function prepare() {
  await ensureBuilt();
  await prepareLocalCloud();
}
