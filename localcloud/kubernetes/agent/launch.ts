import { readFileSync } from 'node:fs';
import { mkdir, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import type { Container, Pod } from '../api/types';
import { kubeconfigYaml } from '../controlplane/kubeconfig';
import { writeWhole } from '../../writeWhole';
import type { ImageEntry, LaunchContext } from '../imageTable';
import type { RunOptions } from '../process/run';
import type { AgentContext } from './context';
import { containerEnvironment } from './environment';
import { expand } from './expand';
import type { PodAddress } from './fields';
import { replaceMountPaths } from './mountPaths';
import type { PortMap } from './portMap';
import type { PodVolumes } from './volumes';

export interface LaunchSubject {
  pod: Pod;
  container: Container;
  entry: ImageEntry;
  address: PodAddress;
  /** The pod's folder on the host. */
  folder: string;
  volumes: PodVolumes;
  ports: PortMap;
  program: FoundProgram;
}

/** The program that runs for an image. */
export interface FoundProgram {
  command: readonly string[];
  /** Files in the image's working directory: name → path on this host. */
  files: Readonly<Record<string, string>>;
}

/** Finds an image's program. @throws the reason of `signal` if it aborts first, because the pod is deleted */
export async function findProgram(
  { command, files }: ImageEntry,
  signal: AbortSignal,
): Promise<FoundProgram> {
  const program = {
    command: typeof command === 'function' ? await command(signal) : command,
    files: (await files?.()) ?? {},
  };
  signal.throwIfAborted();
  return program;
}

export function podLogFile(context: AgentContext, pod: Pod, container: Container): string {
  const { namespace, name } = pod.metadata;
  return path.join(context.paths.podLogs, `${namespace}_${name}_${container.name}.log`);
}

/**
 * Returns the process to run for a container.
 *
 * @throws MissingSource while its environment needs a missing Secret or ConfigMap
 */
export async function launchOptions(subject: LaunchSubject, context: AgentContext): Promise<RunOptions> {
  const { pod, container, entry, address, folder, volumes, ports, program } = subject;
  const mappings = volumes.mappings(pod, container);
  const home = path.join(folder, 'containers', container.name);
  await mkdir(path.join(home, 'tmp'), { recursive: true, mode: 0o700 });
  const stated = await containerEnvironment(pod, container, context.sources, address);
  // The first word of `command` is the program's path in the image, which the image entry replaces.
  const args = [...(container.command ?? []).slice(1), ...(container.args ?? [])]
    .map((text) => expand(text, stated))
    .map((text) => replaceMountPaths(text, mappings));

  const launch: LaunchContext = {
    args,
    folder: home,
    mount: (mountPath) => mappings.find((mapping) => mapping.mountPath === mountPath)?.hostPath,
    port: (containerPort) => {
      const port = ports.hostPort(containerPort);
      if (port === undefined)
        throw new Error(`image ${container.image}: the pod has no port ${containerPort}`);
      return port;
    },
  };
  await linkFiles(home, program.files);
  const workingDir = container.workingDir && replaceMountPaths(container.workingDir, mappings);
  return {
    name: `pod ${pod.metadata.namespace}/${pod.metadata.name} ${container.name}`,
    argv: [...program.command, ...(entry.args ? entry.args(launch) : args)],
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: home,
      TMPDIR: path.join(home, 'tmp'),
      HOSTNAME: pod.metadata.name,
      ...context.podEnvironment(pod.spec.hostNetwork === true ? undefined : address.podIp),
      ...apiAccess(subject, context),
      ...Object.fromEntries(
        Object.entries(stated).map(([name, value]) => [name, replaceMountPaths(value, mappings)]),
      ),
      ...entry.env?.(launch),
    },
    // A folder inside the image does not exist on the host.
    cwd: workingDir && workingDir !== container.workingDir ? workingDir : (entry.workingFolder ?? home),
    logFile: podLogFile(context, pod, container),
    recordFolder: context.paths.pids,
  };
}

/** Links the image's files into the program's working directory. */
async function linkFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, target] of Object.entries(files)) {
    const link = path.join(folder, name);
    await rm(link, { recursive: true, force: true });
    await symlink(target, link);
  }
}

/**
 * Returns variables for access to the API server with the pod's own token, so that the pod needs its chart's roles as in
 * a real cluster. They name a kubeconfig, because clients expect an in-cluster token at a fixed path, which exists only
 * once per host.
 */
function apiAccess(subject: LaunchSubject, context: AgentContext): Record<string, string> {
  const { pod, container, folder, volumes } = subject;
  const { hostname, port } = new URL(context.server);
  const host = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port };
  for (const volume of pod.spec.volumes ?? []) {
    const token = (volume.projected?.sources ?? []).find(
      ({ serviceAccountToken }) => serviceAccountToken && !serviceAccountToken.audience,
    )?.serviceAccountToken;
    const mount = container.volumeMounts?.find(({ name }) => name === volume.name);
    const mapping = volumes.mappings(pod, container).find(({ mountPath }) => mountPath === mount?.mountPath);
    if (!token || !mapping) continue;
    const kubeconfig = path.join(folder, 'kubeconfig');
    const tokenFile = path.join(mapping.hostPath, token.path);
    writeWhole(
      kubeconfig,
      kubeconfigYaml({
        name: context.clusterName,
        server: context.server,
        ca: context.caCertificate,
        userName: pod.spec.serviceAccountName ?? 'default',
        user: { tokenFile, token: readFileSync(tokenFile, 'utf8') },
        namespace: pod.metadata.namespace,
      }),
    );
    return { ...host, KUBECONFIG: kubeconfig };
  }
  return host;
}
