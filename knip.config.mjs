// What nobody imports. `npm run unused` names this file, which knip does not look for itself.
import { bundles, commandBundles, dryRunBundles, engineBundles } from './build.mjs';

const bundled = Object.values({ ...bundles, ...commandBundles, ...engineBundles, ...dryRunBundles });

/** The entries in a package of the project, named from its folder. `!`: they are not of tests. */
const entriesIn = (folder) =>
  bundled
    .filter((entry) => entry.startsWith(`${folder}/`))
    .map((entry) => `${entry.slice(folder.length + 1)}!`);

const sources = ['**/*.ts!', '!**/tests/**!', '!tests/**!'];

export default {
  include: ['files', 'exports', 'types', 'duplicates'],
  workspaces: {
    '.': {
      entry: [
        ...bundled.filter((entry) => !/^(cli|localcloud)\//.test(entry)).map((entry) => `${entry}!`),
        'bootstrap/index.ts!',
        // Programs of others build on it (docs/outputs.md).
        'stacks/outputs/stackReference.ts!',
        'policy/index.js!',
        // The programs that run in clusters (stacks/deploy/reconcilerProgram.ts).
        'reconciler/{accessWindows/main,connections,tokenEvents/main}.ts!',
        '*.mjs!',
        'docs/*.mjs',
        'tests/**/*.{test.ts,mjs,js,cjs}',
        // The programs with which recorded states are used.
        'tests/engine/support/*.ts',
      ],
      project: sources,
    },
    cli: { entry: entriesIn('cli'), project: sources },
    components: { entry: ['provider.ts!'], project: sources },
    localcloud: {
      entry: [
        ...entriesIn('localcloud'),
        'plugins/writeShapes.ts!',
        'tests/support/buildTools.ts',
        '**/*.mjs',
        'tests/**/*.{test.ts,cjs}',
      ],
      project: sources,
    },
  },
};
