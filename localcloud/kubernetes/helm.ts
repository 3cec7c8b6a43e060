import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';

export interface Helm {
  /** Runs a helm command and returns its standard output. @throws an error with helm's message */
  run(args: readonly string[]): Promise<string>;
}

const timeoutMs = 180_000;

/** Returns helm with its own folder for caches and settings, and without the caller's environment. */
export function openHelm(program: string, folder: string, kubeconfigFile: string, signal: AbortSignal): Helm {
  return {
    async run(args) {
      await mkdir(folder, { recursive: true });
      return await new Promise<string>((resolve, reject) => {
        execFile(
          program,
          args,
          {
            cwd: folder,
            timeout: timeoutMs,
            signal,
            maxBuffer: 64 * 1024 * 1024,
            env: {
              PATH: '/usr/local/bin:/usr/bin:/bin',
              HOME: folder,
              KUBECONFIG: kubeconfigFile,
              HELM_CACHE_HOME: path.join(folder, 'cache'),
              HELM_CONFIG_HOME: path.join(folder, 'config'),
              HELM_DATA_HOME: path.join(folder, 'data'),
            },
          },
          (error, stdout, stderr) => {
            if (error)
              reject(
                new Error(`helm ${args.slice(0, 2).join(' ')} failed: ${stderr.trim() || error.message}`),
              );
            else resolve(stdout);
          },
        );
      });
    },
  };
}
