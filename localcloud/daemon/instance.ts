import os from 'node:os';
import path from 'node:path';
import { PROJECT } from '../project';

/** The paths of one local cloud, all absolute. */
export interface Instance {
  projectRoot: string;
  /** `$AKS_WI_STATE` or `<project>/.state`. */
  stateRoot: string;
  /** `<stateRoot>/local`. */
  folder: string;
  /** The toolchain's cache, shared by all checkouts: `$AKS_WI_CACHE`, or below `$XDG_CACHE_HOME`. */
  cacheDir: string;
  chartsDir: string;
  logsDir: string;
  runFile: string;
  lockFile: string;
  credentialsFile: string;
  caFile: string;
  clustersDir: string;
  kubeconfigsDir: string;
  pulumiHome: string;
  pulumiBackend: string;
}

/** Environment variable of every process of a local cloud. It identifies the processes that a killed one left. */
export const INSTANCE_VARIABLE = 'AKS_WI_INSTANCE';

export function locateInstance(projectRoot: string, env: NodeJS.ProcessEnv = process.env): Instance {
  const stateRoot = path.resolve(projectRoot, env.AKS_WI_STATE ?? '.state');
  const folder = path.join(stateRoot, 'local');
  const caches = env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache');
  const inside = (...names: string[]): string => path.join(folder, ...names);
  return {
    projectRoot,
    stateRoot,
    folder,
    cacheDir: path.resolve(env.AKS_WI_CACHE ?? path.join(caches, PROJECT)),
    chartsDir: path.join(stateRoot, 'charts'),
    logsDir: inside('logs'),
    runFile: inside('run.json'),
    lockFile: inside('localcloud.lock'),
    credentialsFile: inside('credentials.json'),
    caFile: inside('tls', 'ca.crt'),
    clustersDir: inside('clusters'),
    kubeconfigsDir: inside('kubeconfigs'),
    pulumiHome: inside('pulumi-home'),
    pulumiBackend: inside('pulumi'),
  };
}
