// Bundles every program with a process of its own (the command, the local cloud, its plugins, the example
// application) into dist/, so that it starts quickly. So are the Pulumi program and the policy pack, which the local
// cloud's language host runs from here; Pulumi's own language host runs their sources.
import {
  builder,
  bundles as localCloudBundles,
  byChance,
  common,
  programOptions,
  unused,
} from './localcloud/build.mjs';

/** The command: it is split, so that each command loads only its own part. Bundle name in dist/ → entry file. */
export const commandBundles = {
  cli: 'cli/main.ts',
  'local-product': 'cli/localProduct.ts',
  'localcloud-commands': 'localcloud/commands/main.ts',
};

export const bundles = {
  ...localCloudBundles,
  reader: 'examples/reader/main.ts',
};

/** Programs that the engine runs. */
export const engineBundles = {
  program: 'index.ts',
  'policy-pack': 'policy/pack.ts',
};

/** The program without an engine, whose only copy of Pulumi's packages is in its bundle. */
export const dryRunBundles = {
  'dry-run': 'stacks/dryRun/main.ts',
};

/**
 * Stands in for packages that the SDK loads at its start, and needs only later or never.
 *
 * @param importer only where a file whose path ends so loads them
 */
const empty = (packages, importer = '') => ({
  name: 'empty',
  setup(plugin) {
    plugin.onResolve({ filter: new RegExp(`^(${packages.join('|')})$`) }, (request) =>
      request.importer.endsWith(importer) ? { path: request.path, namespace: 'empty' } : undefined,
    );
    plugin.onLoad({ filter: /.*/, namespace: 'empty' }, () => ({ contents: '' }));
  },
});

/** `require` for packages in CommonJS, which ask for Node's modules by it. */
const withRequire = `import { createRequire as __createRequire } from 'node:module';
const require = __createRequire(import.meta.url);
${common.banner.js}`;

/** Options for the bundles of each kind. */
export const bundleOptions = {
  bundles: programOptions,
  // Pulumi's packages keep state: all code in the process shares one copy.
  engineBundles: { ...common, external: ['@pulumi/*', 'esbuild', ...byChance] },
  dryRunBundles: {
    ...common,
    // It asks no cluster and no cloud.
    external: ['@kubernetes/client-node', '@azure/arm-containerservice', 'esbuild', ...byChance],
    plugins: [empty(unused)],
  },
  commandBundles: {
    ...common,
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    splitting: true,
    chunkNames: '[name]-[hash]',
    banner: { js: withRequire },
    define: { __dirname: 'import.meta.dirname', __filename: 'import.meta.filename' },
    external: [...unused, ...byChance],
    // With it, the SDK's errors recognize those of the engine, with which the command does not speak.
    plugins: [empty(['@grpc/grpc-js'], '/@pulumi/pulumi/errors.js')],
  },
};
export const { build, ensureBuilt } = builder(
  'built.json',
  Object.entries({ bundles, engineBundles, dryRunBundles, commandBundles }).map(([kind, entries]) => ({
    entries,
    options: bundleOptions[kind],
  })),
  ['build.mjs'],
);

if (process.argv[1] === import.meta.filename) await build();
