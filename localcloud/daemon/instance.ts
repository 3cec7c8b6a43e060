import os from 'node:os';
import path from 'node:path';
import { PROJECT, variable } from '../project';

/** The paths of one local cloud, all absolute. */
export interface Instance {
  projectRoot: string;
  /** The variable `STATE`, or `<project>/.state`. */
  stateRoot: string;
  /** `<stateRoot>/local`. */
  folder: string;
  /** The toolchain's cache, shared by all checkouts: the variable `CACHE`, or below `$XDG_CACHE_HOME`. */
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
export const INSTANCE_VARIABLE = variable('INSTANCE');

export function locateInstance(projectRoot: string, env: NodeJS.ProcessEnv = process.env): Instance {
  const stateRoot = path.resolve(projectRoot, env[variable('STATE')] ?? '.state');
  const folder = path.join(stateRoot, 'local');
  const caches = env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache');
  const inside = (...names: string[]): string => path.join(folder, ...names);
  return {
    projectRoot,
    stateRoot,
    folder,
    cacheDir: path.resolve(env[variable('CACHE')] ?? path.join(caches, PROJECT)),
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
