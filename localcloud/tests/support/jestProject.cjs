// The jest configuration that the tests of the local cloud and of its project have in common.
const path = require('node:path');

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

/** Modules of which a test rarely needs anything, by the stand-in that loads them when it does. */
const loadedWhenUsed = {
  '/typescript-shim$': path.join(__dirname, 'lazy', 'typescript.cjs'),
  '^@npmcli/arborist$': path.join(__dirname, 'lazy', 'arborist.cjs'),
};

const common = {
  rootDir: path.resolve(__dirname, '../../..'),
  // Not in the folder for temporary files, which is another one in each test run.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  testEnvironment: path.join(__dirname, 'environment.cjs'),
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

/** A project of all tests in a folder. */
exports.project = (name, folder, { moduleNameMapper = {}, ...extra } = {}) => ({
  ...common,
  displayName: name,
  testMatch: [`<rootDir>/${folder}/**/*.test.ts`],
  moduleNameMapper: { ...loadedWhenUsed, ...moduleNameMapper },
  ...extra,
});

exports.testTimeout = 60_000;
