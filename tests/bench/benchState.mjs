// A separate state folder, in which commands are measured.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { OwnState } from '../support/ownState.mjs';
import { runMeasured } from './measured.mjs';

/** The project's folder. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

export class BenchState extends OwnState {
  static async make(name) {
    return new BenchState((await OwnState.make(name)).folder);
  }

  /** Runs `aks-wi` with its processes measured. It must succeed. */
  async runMeasured(args) {
    const run = await runMeasured(process.execPath, [path.join(root, 'cli', 'bin.mjs'), ...args], {
      cwd: root,
      env: { AKS_WI_STATE: this.folder, CI: 'true' },
    });
    if (run.code === 0) return run;
    throw new Error(`aks-wi ${args.join(' ')} ended with ${run.code}\n${run.stderr}${run.stdout}`);
  }
}
