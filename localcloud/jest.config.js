// The local cloud's own tests: `npm test -w localcloud`.
const { project, testTimeout, withBundles } = require('./tests/support/jestProject.cjs');

/** @type {import('jest').Config} */
module.exports = {
  projects: [
    project('localcloud-unit', 'localcloud/tests/unit'),
    project('localcloud', 'localcloud/tests/services', withBundles),
  ],
  testTimeout,
};
