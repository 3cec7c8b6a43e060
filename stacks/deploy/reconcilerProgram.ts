import { buildSync } from 'esbuild';

/** A program of `reconciler/`, by its file. */
export type ReconcilerProgram = 'accessWindows' | 'connections' | 'tokenEvents/main';

const bundled = new Map<ReconcilerProgram, string>();

/** Returns a program that runs in a cluster, bundled into one file. The same sources give the same text. */
export function reconcilerProgram(program: ReconcilerProgram): string {
  const text = bundled.get(program) ?? bundle(program);
  bundled.set(program, text);
  return text;
}

function bundle(program: ReconcilerProgram): string {
  const { outputFiles } = buildSync({
    // The engine runs the program in the project's folder.
    absWorkingDir: process.cwd(),
    entryPoints: [`reconciler/${program}.ts`],
    ...{ bundle: true, minify: true, write: false, platform: 'node', format: 'cjs', target: 'node20' },
    legalComments: 'none',
  });
  return outputFiles[0]?.text ?? '';
}
