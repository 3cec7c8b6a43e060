// Lint with types. oxlint has the rules of typescript-eslint; those of eslint-plugin-import-x that it lacks are
// loaded from that plugin, which needs ESLint's package. `npm run lint` names this file, which oxlint does not look for itself.
import { readdirSync } from 'node:fs';
import path from 'node:path';

// Each folder of the product and the local cloud, and what it may import of the others (docs/architecture.md). `tests` may
// import all of them.
const mayImport = {
  './bootstrap': ['./components', './policy'],
  './components': [],
  './stacks': ['./components'],
  './index.ts': ['./components', './stacks'],
  './reconciler': ['./components'],
  './policy': ['./components', './stacks'],
  './verification': ['./components', './stacks'],
  './cli': ['./components', './stacks', './verification'],
  './localcloud': [],
  './examples': [],
  './packaging': [],
  './docs': [],
};
const forbidden = [
  ...Object.entries(mayImport).map(([folder, allowed]) => [
    folder,
    [...Object.keys(mayImport), './tests'].filter((other) => other !== folder && !allowed.includes(other)),
  ]),
  // What is deployed follows from the plan, not from what exists already.
  ['./stacks/deploy', ['./stacks/preflight']],
  ['./localcloud/*.ts', ['./localcloud/tests']],
  ['./tests', ['./localcloud/tests/services', './localcloud/tests/unit']],
];
// Folders and files in the order in which data flows: each may import only those before it.
const ordered = {
  './components': [
    'resource',
    'azure',
    'waiting',
    'logs',
    'cluster',
    'vault',
    'identity',
    'reconciler',
    'entra',
    'hypershift',
    'dependency',
    'platform',
    'podIdentity',
    'application',
    'access',
    'accessWindows',
    'index.ts',
    'schemaProvider.ts',
    'provider.ts',
  ],
  './stacks': [
    'isOlder.ts',
    'settings',
    'invalidConfiguration.ts',
    'plan',
    'checks',
    'configuration.ts',
    'stackFileInput.ts',
    'cells.ts',
    'stackFile.ts',
    'readConfiguration.ts',
    'subscriptions.ts',
    'preflight',
    'deploy',
    'outputs',
    'access',
    'dryRun',
    'sdkModule.ts',
    'stackTraces.ts',
    'debugMessages.ts',
    'versionAliases.ts',
    'program.ts',
  ],
  './stacks/settings': ['schema', 'releases'],
  './cli': [
    'init',
    'picture',
    'completion',
    'import',
    'orphans',
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
    'fleet',
    'doctor',
    'azureRun',
  ],
  './localcloud': ['toolchain', 'azure', 'kubernetes', 'charts', 'plugins', 'daemon', 'commands', 'tests'],
  './localcloud/azure': [
    'store',
    'server',
    'identity',
    'arm',
    'logs',
    'keyvault',
    'blob',
    'entra',
    'graph',
    'metadata',
  ],
  './localcloud/kubernetes': ['api', 'egress', 'process', 'controlplane', 'kubelet', 'agent'],
  './localcloud/plugins': ['protocol', 'resources', 'azure', 'tls', 'azure-native', 'azuread', 'kubernetes'],
};
// Files beside the folders have an order only where the list names some.
for (const [root, layers] of Object.entries(ordered))
  for (const entry of readdirSync(path.join(import.meta.dirname, root), { withFileTypes: true }))
    if (
      entry.isDirectory()
        ? entry.name !== 'node_modules'
        : entry.name.endsWith('.ts') && layers.some((layer) => layer.endsWith('.ts'))
    )
      if (!layers.includes(entry.name)) throw new Error(`${root}/${entry.name} is in no layer.`);
const later = Object.entries(ordered).flatMap(([root, folders]) =>
  folders.map((folder, index) => [
    `${root}/${folder}`,
    folders.slice(index + 1).map((other) => `${root}/${other}`),
  ]),
);
const zones = [...forbidden, ...later].flatMap(([target, sources]) =>
  sources.map((from) => ({ target, from, message: `${target} must not import ${from}.` })),
);

// The rules of typescript-eslint's `strict-type-checked`, by the name that they have in oxlint.
const strictTypeChecked = [
  'no-array-constructor',
  'no-unused-expressions',
  'no-useless-constructor',
  'no-var',
  'prefer-const',
  'prefer-rest-params',
  'prefer-spread',
  ...[
    'await-thenable',
    'no-array-delete',
    'no-base-to-string',
    'no-deprecated',
    'no-duplicate-enum-values',
    'no-duplicate-type-constituents',
    'no-dynamic-delete',
    'no-empty-object-type',
    'no-explicit-any',
    'no-extra-non-null-assertion',
    'no-extraneous-class',
    'no-floating-promises',
    'no-for-in-array',
    'no-generated-empty-object-type',
    'no-implied-eval',
    'no-invalid-void-type',
    'no-meaningless-void-operator',
    'no-misused-new',
    'no-misused-promises',
    'no-misused-spread',
    'no-mixed-enums',
    'no-namespace',
    'no-non-null-asserted-nullish-coalescing',
    'no-non-null-asserted-optional-chain',
    'no-non-null-assertion',
    'no-redundant-type-constituents',
    'no-require-imports',
    'no-this-alias',
    'no-unnecessary-boolean-literal-compare',
    'no-unnecessary-template-expression',
    'no-unnecessary-type-arguments',
    'no-unnecessary-type-assertion',
    'no-unnecessary-type-constraint',
    'no-unnecessary-type-conversion',
    'no-unnecessary-type-parameters',
    'no-unsafe-argument',
    'no-unsafe-assignment',
    'no-unsafe-call',
    'no-unsafe-declaration-merging',
    'no-unsafe-enum-assignment',
    'no-unsafe-enum-comparison',
    'no-unsafe-function-type',
    'no-unsafe-member-access',
    'no-unsafe-return',
    'no-unsafe-unary-minus',
    'no-useless-default-assignment',
    'no-wrapper-object-types',
    'only-throw-error',
    'prefer-as-const',
    'prefer-literal-enum-member',
    'prefer-namespace-keyword',
    'prefer-promise-reject-errors',
    'prefer-reduce-type-parameter',
    'prefer-return-this-type',
    'related-getter-setter-pairs',
    'require-await',
    'triple-slash-reference',
    'unbound-method',
    'unified-signatures',
    'use-unknown-in-catch-callback-variable',
  ].map((rule) => `typescript/${rule}`),
];

// The local cloud has its own package.json; the product must not import what is only there.
const dependenciesOf = (files, folder = '.', devDependencies = false) => ({
  files,
  rules: {
    'import-x-js/no-extraneous-dependencies': [
      'error',
      { packageDir: [path.join(import.meta.dirname, folder)], devDependencies },
    ],
  },
});

const packages = {
  paths: [
    {
      name: '@pulumi/azure-native',
      message: "Import a sub-module ('@pulumi/azure-native/keyvault'): the root takes seconds to load.",
    },
  ],
};

/** Rules of TypeScript and of scripts. */
const everywhere = {
  'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
  'import-x-js/no-restricted-paths': ['error', { zones }],
  // Imports of types too: two files that need each other are one concern, or hide a third.
  'import/no-cycle': ['error', { ignoreTypes: false }],
  'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
  'no-restricted-imports': ['error', packages],
};

export default {
  plugins: ['typescript', 'import'],
  jsPlugins: [{ name: 'import-x-js', specifier: 'eslint-plugin-import-x' }],
  settings: { 'import-x/resolver': { typescript: true } },
  categories: { correctness: 'off' },
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  ignorePatterns: ['node_modules', 'dist', '.state', 'coverage'],
  overrides: [
    {
      files: ['**/*.ts'],
      rules: {
        ...Object.fromEntries(strictTypeChecked.map((rule) => [rule, 'error'])),
        'typescript/ban-ts-comment': ['error', { minimumDescriptionLength: 10 }],
        'typescript/consistent-type-imports': 'error',
        'typescript/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
        'typescript/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
        'typescript/restrict-plus-operands': [
          'error',
          {
            allowAny: false,
            allowBoolean: false,
            allowNullish: false,
            allowNumberAndString: false,
            allowRegExp: false,
          },
        ],
        'typescript/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
        'typescript/return-await': ['error', 'error-handling-correctness-only'],
        ...everywhere,
      },
    },
    {
      // Scripts are not type-checked. Their inferred types are enough for these rules.
      files: ['**/*.{js,cjs,mjs}'],
      env: { node: true, es2024: true },
      rules: {
        ...Object.fromEntries(
          strictTypeChecked.filter((rule) => !rule.includes('/')).map((rule) => [rule, 'error']),
        ),
        ...everywhere,
        'import/default': 'error',
        'import/named': 'error',
        'no-undef': 'error',
        'typescript/await-thenable': 'error',
        'typescript/no-floating-promises': 'error',
        'typescript/no-misused-promises': 'error',
      },
    },
    { files: ['tests/browser/support/*.js'], env: { browser: true } },
    dependenciesOf(['index.ts', '{bootstrap,stacks,policy,verification,cli,examples,reconciler}/**/*.ts']),
    // `components` is a package with its own dependencies.
    dependenciesOf(['components/**/*.ts'], 'components'),
    // So is the local cloud. Its tests, and what records the shapes of resources, are no part of it.
    dependenciesOf(['localcloud/**/*.{ts,mjs,cjs}'], 'localcloud', [
      '**/localcloud/{tests/**,build.mjs,plugins/writeShapes.ts,plugins/resources/shapes/*.ts}',
    ]),
    {
      // A story that is told in steps stays in one file.
      files: ['**/tests/**/*.ts'],
      rules: { 'max-lines': ['error', { max: 400 }] },
    },
    {
      // The tools may use the types of `stacks`, and the functions that need no engine.
      files: ['policy/**/*.ts', 'verification/**/*.ts', 'cli/**/*.ts'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            ...packages,
            patterns: [
              {
                group: ['**/stacks/deploy/**'],
                allowTypeImports: true,
                message: 'Only types of what deploys.',
              },
            ],
          },
        ],
      },
    },
  ],
};
