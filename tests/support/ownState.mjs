// A state folder for each script that runs the command as a process of its own.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));

/** A separate state folder, in which `aks-wi` can be run. */
export class OwnState {
  static async make(name) {
    const parent = path.join(root, '.state', 'tests');
    await mkdir(parent, { recursive: true });
    return new OwnState(await mkdtemp(path.join(parent, `${name}-`)));
  }

  constructor(folder) {
    this.folder = folder;
  }

  /** Runs `aks-wi` and returns exit code, seconds and output. */
  run(args, env = {}) {
    return new Promise((resolve, reject) => {
      const started = process.hrtime.bigint();
      const child = spawn(process.execPath, [path.join(root, 'cli', 'bin.mjs'), ...args], {
        cwd: root,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, AKS_WI_STATE: this.folder, CI: 'true', ...env },
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
      child.on('error', reject);
      child.on('exit', (code) =>
        resolve({ code, seconds: Number(process.hrtime.bigint() - started) / 1e9, output }),
      );
    });
  }

  /**
   * Stops the local cloud and deletes the folder. A folder that cannot be cleaned stays, so that its processes can still be
   * found.
   */
  async remove() {
    const { code, output } = await this.run(['clean', '--yes']);
    if (code === 0) await rm(this.folder, { recursive: true, force: true });
    else console.error(`aks-wi clean ended with ${code} in ${this.folder}\n${output}`);
  }
}
