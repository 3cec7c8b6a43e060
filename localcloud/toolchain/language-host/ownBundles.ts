import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';

/** Folders of the project that the engine runs, each with its bundle. */
const bundled: Readonly<Record<string, string>> = { '.': 'program.cjs', policy: 'policy-pack.cjs' };

/**
 * Returns the bundle of the project's own program or policy pack, which starts faster than its sources; undefined for
 * all other folders.
 *
 * @param bundles the project's folder with all bundles, including this host's
 */
export function ownBundle(folder: string, bundles = __dirname): string | undefined {
  if (!existsSync(folder)) return undefined;
  const project = realpathSync(path.dirname(bundles));
  const name = bundled[path.relative(project, realpathSync(folder)) || '.'];
  const file = name === undefined ? undefined : path.join(bundles, name);
  return file !== undefined && existsSync(file) ? file : undefined;
}

/** Returns Node's arguments for a bundle, with which modules that the SDK rarely needs are loaded only when used. */
export const bundleArguments = (bundle: string): string[] => [
  '--require',
  path.join(path.dirname(bundle), 'load-when-used.cjs'),
];
