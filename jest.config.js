// One jest project a kind of test, so that `jest --selectProjects unit` is quick and needs nothing else.
// Packages that are published as ES modules only are transformed as well: jest loads CommonJS.
const esmPackages = [
  '@kubernetes/client-node',
  'jose',
  'openid-client',
  'oauth4webapi',
  'listr2',
  '@actions/[^/]+',
  '@azure/[^/]+',
  '@typespec/[^/]+',
].join('|');

const common = {
  rootDir: __dirname,
  // Not in the folder for temporary files, which is another one in each test run.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  testEnvironment: '<rootDir>/tests/support/environment.cjs',
  transform: {
    '^.+\\.(t|j|mj)s$': [
      '@swc/jest',
      {
        jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
        module: { type: 'commonjs', ignoreDynamic: false },
      },
    ],
  },
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json', 'node'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.state/'],
  transformIgnorePatterns: [`/node_modules/(?!(${esmPackages})/)`],
};

const project = (name, extra = {}) => ({
  ...common,
  displayName: name,
  testMatch: [`<rootDir>/tests/${name}/**/*.test.ts`],
  ...extra,
});

const withBundles = { globalSetup: '<rootDir>/tests/support/globalSetup.mjs' };

/** @type {import('jest').Config} */
module.exports = {
  projects: [
    project('unit', {
      // Their packages name files for `import` only, which jest does not ask for.
      moduleNameMapper: {
        '^@actions/([^/]+)$': '<rootDir>/node_modules/@actions/$1/dist/index.js',
        '^@actions/([^/]+)/([^.]+)$': '<rootDir>/node_modules/@actions/$1/dist/$2.js',
      },
    }),
    project('browser'),
    project('engine', withBundles),
    project('localcloud', withBundles),
    project('e2e', withBundles),
  ],
  testTimeout: 60_000,
};
