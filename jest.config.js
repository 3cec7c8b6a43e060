// One jest project a kind of test, so that `jest --selectProjects unit` is quick and needs nothing else.
const path = require('node:path');
const localcloud = require('./localcloud/jest.config.js');
const { project, testTimeout } = require('./localcloud/tests/support/jestProject.cjs');

/** For projects whose tests start the bundles and the programs of the toolchain. */
const withBundles = { globalSetup: path.join(__dirname, 'tests/support/globalSetup.mjs') };

/** @type {import('jest').Config} */
module.exports = {
  projects: [
    project('unit', 'tests/unit', {
      // Their packages name files for `import` only, which jest does not ask for.
      moduleNameMapper: {
        '^@actions/([^/]+)$': '<rootDir>/node_modules/@actions/$1/dist/index.js',
        '^@actions/([^/]+)/([^.]+)$': '<rootDir>/node_modules/@actions/$1/dist/$2.js',
      },
    }),
    project('browser', 'tests/browser'),
    project('engine', 'tests/engine', withBundles),
    project('e2e', 'tests/e2e', withBundles),
    ...localcloud.projects,
  ],
  testTimeout,
};
