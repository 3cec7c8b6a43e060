// Tests that start the project's own processes need the bundles.
import { ensureBuilt } from '../../build.mjs';

export default ensureBuilt;
