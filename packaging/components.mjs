import { cp } from 'node:fs/promises';
import path from 'node:path';
import { compile } from './compile.mjs';
import { root, withPeers } from './manifest.mjs';

/** The components, compiled file by file, and the plugin that serves them to programs in other languages. */
export async function componentsPackage(folder, { dependencies, ...manifest }) {
  await compile(folder, {
    rootDir: 'components',
    files: ['components/index.ts', 'components/provider.ts'],
  });
  await cp(path.join(root, 'components', 'PulumiPlugin.yaml'), path.join(folder, 'PulumiPlugin.yaml'));
  // Only the sources are transpiled at run time.
  const { esbuild: _, ...others } = dependencies;
  return withPeers(
    {
      ...manifest,
      // Pulumi starts the plugin with `main`; programs import `exports`.
      types: './index.d.ts',
      exports: {
        '.': { types: './index.d.ts', default: './index.js' },
        './schema.json': './schema.json',
        './package.json': './package.json',
      },
    },
    others,
  );
}
