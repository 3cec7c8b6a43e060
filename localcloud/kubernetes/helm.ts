import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { writeWhole } from '../writeWhole';
import type { ClusterPaths } from './controlplane/paths';

export interface Helm {
  /** Runs a helm command and returns its standard output. @throws an error with helm's message */
  run(args: readonly string[]): Promise<string>;
}

const timeoutMs = 180_000;

interface HelmOptions {
  program: string;
  /** Kubeconfig of an administrator (YAML). */
  kubeconfig: string;
  paths: ClusterPaths;
  signal: AbortSignal;
}

/** Returns helm with its own folder for caches and settings, and without the caller's environment. */
export function openHelm({ program, kubeconfig, paths, signal }: HelmOptions): Helm {
  const folder = paths.helm;
  const kubeconfigFile = path.join(paths.run, 'helm.kubeconfig');
  writeWhole(kubeconfigFile, kubeconfig);
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
