import { buildSync } from 'esbuild';

let bundled: string | undefined;

/** The program that opens and closes access windows, bundled into one file: the same text of the same sources. */
export function reconcilerProgram(): string {
  return (bundled ??= bundle());
}

function bundle(): string {
  const { outputFiles } = buildSync({
    // The engine runs the program in the project's folder.
    absWorkingDir: process.cwd(),
    entryPoints: ['reconciler/main.ts'],
    ...{ bundle: true, minify: true, write: false, platform: 'node', format: 'cjs', target: 'node20' },
    legalComments: 'none',
  });
  return outputFiles[0]?.text ?? '';
}
