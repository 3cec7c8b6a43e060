import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';

/** The bundles are built into one folder of the project, this host's among them. */
const bundles = __dirname;
const project = path.dirname(bundles);

/** Folders of the project that the engine runs, each with its bundle. */
const bundled: Readonly<Record<string, string>> = { '.': 'program.cjs', policy: 'policy-pack.cjs' };

/**
 * The bundle of the project's own program or policy pack, which starts in a third of the time of its sources; undefined for
 * all other folders.
 */
export function ownBundle(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  const name = bundled[path.relative(realpathSync(project), realpathSync(folder)) || '.'];
  const file = name === undefined ? undefined : path.join(bundles, name);
  return file !== undefined && existsSync(file) ? file : undefined;
}
