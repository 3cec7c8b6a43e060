import path from 'node:path';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import importX from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

// The arrows that may exist between the folders (docs/architecture.md). `from` may not import `target`.
const forbidden = [
  [
    './components',
    ['./stacks', './index.ts', './verification', './cli', './localcloud', './tests', './examples'],
  ],
  ['./stacks', ['./index.ts', './verification', './cli', './localcloud', './tests', './examples']],
  ['./index.ts', ['./verification', './cli', './localcloud', './tests', './examples']],
  ['./verification', ['./index.ts', './components', './cli', './localcloud', './tests', './examples']],
  ['./cli', ['./index.ts', './components', './localcloud', './tests', './examples']],
  [
    './examples',
    ['./index.ts', './components', './stacks', './verification', './cli', './localcloud', './tests'],
  ],
  [
    './localcloud',
    ['./index.ts', './components', './stacks', './verification', './cli', './examples', './tests'],
  ],
];
// Within these, in the order in which data flows: a folder knows only those before it.
const ordered = {
  './components': [
    'resource',
    'azure',
    'waiting',
    'logs',
    'cluster',
    'vault',
    'identity',
    'dependency',
    'platform',
    'application',
  ],
  './stacks': ['settings', 'plan', 'checks', 'preflight', 'deploy', 'outputs', 'promotion'],
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
      // Overflows the stack on a type that refers to itself, as a property value of the engine does.
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
    // What only the local cloud needs is in its own package.json; nothing else may import it.
    files: ['index.ts', '{stacks,verification,cli,examples}/**/*.ts'],
    rules: {
      'import-x/no-extraneous-dependencies': [
        'error',
        { packageDir: [import.meta.dirname], devDependencies: false },
      ],
    },
  },
  {
    // A package of its own: what it needs is in its package.json.
    files: ['components/**/*.ts'],
    rules: {
      'import-x/no-extraneous-dependencies': [
        'error',
        { packageDir: [path.join(import.meta.dirname, 'components')], devDependencies: false },
      ],
    },
  },
  {
    // The types that `stacks` exports are the product's contract with its tools; of what runs, only what needs no
    // engine is.
    files: ['verification/**/*.ts', 'cli/**/*.ts'],
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
