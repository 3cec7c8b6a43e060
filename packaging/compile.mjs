import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { root } from './manifest.mjs';

/** Compiles entries, with all that they import, to CommonJS and types in `folder`. */
export async function compile(folder, { rootDir, files, ...options }) {
  const config = path.join(folder, 'tsconfig.json');
  const compilerOptions = {
    ...{ noEmit: false, declaration: true, incremental: false, tsBuildInfoFile: null },
    ...{ types: ['node'], typeRoots: [path.join(root, 'node_modules', '@types')] },
    ...{ rootDir: path.join(root, rootDir), outDir: folder, allowImportingTsExtensions: false },
    ...options,
  };
  await writeFile(
    config,
    JSON.stringify({
      extends: path.join(root, 'tsconfig.json'),
      compilerOptions,
      include: [],
      files: files.map((file) => path.join(root, file)),
    }),
  );
  const compiler = path.join(root, 'node_modules', 'typescript7', 'bin', 'tsc');
  await promisify(execFile)(process.execPath, [compiler, '--project', config, '--singleThreaded']).catch(
    ({ stdout, stderr }) => {
      throw new Error(`${files.join(', ')} cannot be compiled:\n${stdout}${stderr}`);
    },
  );
  await rm(config);
}
