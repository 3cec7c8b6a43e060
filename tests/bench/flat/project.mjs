// The flat program as a Pulumi project of its own.
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { root } from '../benchState.mjs';
import { flatResources } from './resources.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));

/** Gives the flat program the program's three SDK workarounds (index.ts). */
const relief = `
import { sendDebugMessagesTogether } from './stacks/debugMessages';
import { withoutVersionAliases } from './stacks/versionAliases';
import { leaveUnreadStackTraces, recordNoStackTracesOfPromises } from './stacks/stackTraces';
leaveUnreadStackTraces();
recordNoStackTracesOfPromises();
sendDebugMessagesTogether();
require('@pulumi/pulumi').runtime.registerStackTransformation(withoutVersionAliases);
require('./program.cjs');
`;

/**
 * Writes a project that registers the custom resources of a preview. Like the bundled program, it is compiled JavaScript, and
 * modules that the SDK rarely needs are loaded only when used. Returns the number of resources.
 *
 * @param relieved gives it the program's three SDK workarounds
 */
export async function writeFlatProject(folder, preview, { relieved }) {
  await mkdir(folder, { recursive: true });
  const resources = flatResources(preview);
  const project = {
    name: relieved ? 'relieved' : 'flat',
    main: relieved ? 'relieved.cjs' : 'program.cjs',
    runtime: {
      name: 'nodejs',
      options: { typescript: false, nodeargs: `--require ${path.join(root, 'dist', 'load-when-used.cjs')}` },
    },
  };
  // JSON is YAML.
  await writeFile(path.join(folder, 'Pulumi.yaml'), JSON.stringify(project));
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ name: 'flat', private: true }));
  await writeFile(path.join(folder, 'resources.json'), JSON.stringify(resources));
  await copyFile(path.join(here, 'program.cjs'), path.join(folder, 'program.cjs'));
  if (relieved) {
    await build({
      stdin: { contents: relief, resolveDir: root, loader: 'ts' },
      outfile: path.join(folder, 'relieved.cjs'),
      external: ['@pulumi/*', './program.cjs'],
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node20',
    });
  }
  return resources.length;
}
