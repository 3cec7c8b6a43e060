// The local cloud's own tests: `npm test -w localcloud`.
const path = require('node:path');
const { project, testTimeout } = require('./tests/support/jestProject.cjs');

/** For tests that start the bundles and the programs of the toolchain. */
const withBundles = { globalSetup: path.join(__dirname, 'tests/support/globalSetup.mjs') };

/** @type {import('jest').Config} */
module.exports = {
  projects: [
    project('localcloud-unit', 'localcloud/tests/unit'),
    project('localcloud', 'localcloud/tests/services', withBundles),
  ],
  testTimeout,
};
