import path from 'node:path';
import { buildSync } from 'esbuild';

const root = path.resolve(__dirname, '../..');

let bundled: string | undefined;

/** The program that opens and closes access windows, bundled into one file: the same text of the same sources. */
export function reconcilerProgram(): string {
  return (bundled ??= bundle());
}

function bundle(): string {
  const { outputFiles } = buildSync({
    absWorkingDir: root,
    entryPoints: ['reconciler/main.ts'],
    ...{ bundle: true, minify: true, write: false, platform: 'node', format: 'cjs', target: 'node20' },
    legalComments: 'none',
  });
  return outputFiles[0]?.text ?? '';
}
