import { buildSync } from 'esbuild';

const bundled = new Map<string, string>();

/**
 * Returns a program that runs in a cluster, bundled into one file. The same sources give the same text.
 * @param program its file in `reconciler/`, without extension
 */
export function reconcilerProgram(program: string): string {
  const text = bundled.get(program) ?? bundle(program);
  bundled.set(program, text);
  return text;
}

function bundle(program: string): string {
  const { outputFiles } = buildSync({
    // The engine runs the program in the project's folder.
    absWorkingDir: process.cwd(),
    entryPoints: [`reconciler/${program}.ts`],
    ...{ bundle: true, minify: true, write: false, platform: 'node', format: 'cjs', target: 'node20' },
    legalComments: 'none',
  });
  return outputFiles[0]?.text ?? '';
}
