import path from 'node:path';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import importX from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

// Each folder, and the folders that it must not import (docs/architecture.md).
const forbidden = [
  [
    './bootstrap',
    [
      './stacks',
      './reconciler',
      './index.ts',
      './verification',
      './cli',
      './localcloud',
      './tests',
      './examples',
    ],
  ],
  [
    './components',
    [
      './stacks',
      './reconciler',
      './index.ts',
      './policy',
      './verification',
      './cli',
      './localcloud',
      './tests',
      './examples',
    ],
  ],
  [
    './stacks',
    ['./index.ts', './policy', './verification', './cli', './localcloud', './tests', './examples'],
  ],
  ['./index.ts', ['./policy', './verification', './cli', './localcloud', './tests', './examples']],
  [
    './reconciler',
    [
      './stacks',
      './index.ts',
      './policy',
      './verification',
      './cli',
      './localcloud',
      './tests',
      './examples',
    ],
  ],
  [
    './policy',
    ['./index.ts', './components', './verification', './cli', './localcloud', './tests', './examples'],
  ],
  [
    './verification',
    ['./index.ts', './components', './policy', './cli', './localcloud', './tests', './examples'],
  ],
  ['./cli', ['./index.ts', './components', './policy', './localcloud', './tests', './examples']],
  [
    './examples',
    [
      './index.ts',
      './components',
      './stacks',
      './policy',
      './verification',
      './cli',
      './localcloud',
      './tests',
    ],
  ],
  [
    './localcloud',
    [
      './bootstrap',
      './reconciler',
      './index.ts',
      './components',
      './stacks',
      './policy',
      './verification',
      './cli',
      './examples',
      './tests',
    ],
  ],
  ['./localcloud/*.ts', ['./localcloud/tests']],
  ['./tests', ['./localcloud/tests/services', './localcloud/tests/unit']],
];
// Folders in the order in which data flows: each may import only those before it.
const ordered = {
  './components': [
    'resource',
    'azure',
    'waiting',
    'logs',
    'cluster',
    'vault',
    'identity',
    'entra',
    'hypershift',
    'dependency',
    'platform',
    'podIdentity',
    'application',
    'access',
  ],
  './stacks': ['settings', 'plan', 'checks', 'preflight', 'deploy', 'outputs', 'access', 'promotion'],
  './stacks/settings': ['schema', 'releases'],
  './cli': [
    ...[
      'picture',
      'import',
      'leftovers',
      'validate',
      'verify',
      'promote',
      'revoke',
      'grant',
      'hostedClusters',
      'audit',
      'drift',
      'access',
      'migrate',
      'pipeline',
    ],
  ],
  './localcloud': ['toolchain', 'azure', 'kubernetes', 'charts', 'plugins', 'daemon', 'commands', 'tests'],
  './localcloud/azure': ['store', 'server', 'identity', 'arm', 'logs', 'keyvault', 'entra', 'parity'],
  './localcloud/kubernetes': ['api', 'egress', 'process', 'controlplane', 'kubelet', 'agent'],
  './localcloud/plugins': ['protocol', 'resources', 'azure', 'tls', 'azure-native', 'azuread', 'kubernetes'],
};
const later = Object.entries(ordered).flatMap(([root, folders]) =>
  folders.map((folder, index) => [
    `${root}/${folder}`,
    folders.slice(index + 1).map((other) => `${root}/${other}`),
  ]),
);
const zones = [...forbidden, ...later].flatMap(([target, sources]) =>
  sources.map((from) => ({ target, from, message: `${target} must not import ${from}.` })),
);

export default tseslint.config(
  { ignores: ['node_modules', 'dist', '.state', 'coverage', '**/*.js', '**/*.cjs'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    plugins: { 'import-x': importX },
    settings: { 'import-x/resolver-next': [createTypeScriptImportResolver()] },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // This rule overflows the stack on recursive types such as the engine's property values.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      'import-x/no-restricted-paths': ['error', { zones }],
      'max-lines': ['error', { max: 400 }],
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: '@pulumi/azure-native',
              message:
                "Import a sub-module ('@pulumi/azure-native/keyvault'): the root takes seconds to load.",
            },
          ],
        },
      ],
    },
  },
  {
    // The dependencies of the local cloud are in its own package.json; the product must not import them.
    files: ['index.ts', '{bootstrap,stacks,policy,verification,cli,examples,reconciler}/**/*.ts'],
    rules: {
      'import-x/no-extraneous-dependencies': [
        'error',
        { packageDir: [import.meta.dirname], devDependencies: false },
      ],
    },
  },
  {
    // `components` is a package with its own dependencies.
    files: ['components/**/*.ts'],
    rules: {
      'import-x/no-extraneous-dependencies': [
        'error',
        { packageDir: [path.join(import.meta.dirname, 'components')], devDependencies: false },
      ],
    },
  },
  {
    // The tools may use the types of `stacks`, and the functions that need no engine.
    files: ['policy/**/*.ts', 'verification/**/*.ts', 'cli/**/*.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '(^|/)stacks(/(?!offline$)|$)',
              allowTypeImports: true,
              message: 'Only types of stacks/, and stacks/offline.',
            },
          ],
        },
      ],
    },
  },
);
