import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { BuildOptions, BuildResult } from 'esbuild';
import options from './reconcilerBundle.json';

const bundled = new Map<string, string>();

/**
 * Returns a program that runs in a cluster, bundled into one file. The same sources give the same text.
 * @param program its file in `reconciler/`, without extension
 */
export function reconcilerProgram(program: string): string {
  const packed = path.join(__dirname, 'reconciler', `${program}.js`);
  const text = bundled.get(program) ?? (existsSync(packed) ? readFileSync(packed, 'utf8') : bundle(program));
  bundled.set(program, text);
  return text;
}

/** Packages have the bundles, and no esbuild. */
function bundle(program: string): string {
  const { buildSync } = createRequire(__filename)('esbuild') as {
    buildSync: (options: BuildOptions) => BuildResult;
  };
  const { outputFiles } = buildSync({
    // The engine runs the program in the project's folder.
    absWorkingDir: process.cwd(),
    entryPoints: [`reconciler/${program}.ts`],
    ...(options as BuildOptions),
  });
  return outputFiles?.[0]?.text ?? '';
}
