import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Toolchain } from '../toolchain/index';
import { PROJECT } from '../project';
import { hyperShiftImages } from './hyperShiftImages';
import { podIdentityImages } from './podIdentityImages';
import { serviceOperatorImage } from './serviceOperatorImage';

/** The container that an entry starts. */
export interface LaunchContext {
  /** Arguments of the container, expanded, with mount paths replaced. */
  args: readonly string[];
  /**
   * Loopback port for a container port.
   *
   * @throws if neither the pod nor `ports` of the entry has the port
   */
  port: (containerPort: number | string) => number;
  /** Host folder for a mount path of the container; undefined if nothing is mounted there. */
  mount: (mountPath: string) => string | undefined;
  /** An empty folder for this container. */
  folder: string;
}

/** How containers of an image run as processes. */
export interface ImageEntry {
  /**
   * Program and first arguments; a function if the program must be found first. `signal` aborts when the pod is
   * deleted.
   */
  command: readonly string[] | ((signal: AbortSignal) => Promise<readonly string[]>);
  /** Ports that the program listens on, besides those that the pod declares or its probes name. */
  ports?: readonly number[];
  /** Arguments of the process. @default those of the container */
  args?: (context: LaunchContext) => string[];
  /** Files in the image's working directory: name → path on this host. */
  files?: () => Promise<Readonly<Record<string, string>>>;
  /** Whether the program exits with 0 to be restarted. Such a restart is neither a failure nor delayed. */
  restartsItself?: boolean;
  /** Additional variables, which override those of the pod. */
  env?: (context: LaunchContext) => Record<string, string>;
}

/** Entry by image repository (without tag and digest). kwok simulates pods with none of these images. */
export type ImageTable = Readonly<Record<string, ImageEntry>>;

/** Sets flags as `--name=value`, replacing existing ones (also `--name value`). */
export function withFlags(args: readonly string[], flags: Record<string, string>): string[] {
  const kept: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    const name = /^--?([^=]+)/.exec(arg)?.[1];
    if (name !== undefined && Object.hasOwn(flags, name)) {
      const next = args[index + 1];
      if (!arg.includes('=') && next !== undefined && !next.startsWith('-')) index += 1;
    } else kept.push(arg);
  }
  return [...kept, ...Object.entries(flags).map(([name, value]) => `--${name}=${value}`)];
}

export interface StandardImageOptions {
  toolchain: Pick<Toolchain, 'require' | 'definitions'>;
  /** Bundle of the example application; without it, kwok simulates its image. */
  readerBundle?: string;
}

const loopback = (port: number) => `127.0.0.1:${port}`;

/** The images that the local cloud runs as processes. */
export function standardImages({ toolchain, readerBundle }: StandardImageOptions): ImageTable {
  const certManager = (subcommand: string) => async () => [
    await toolchain.require('cert-manager'),
    subcommand,
  ];
  const workloadIdentityWebhook: ImageEntry = {
    command: async () => [await toolchain.require('workload-identity-webhook')],
    ports: [9443, 9440],
    args: ({ args, port, mount, folder }) =>
      withFlags(args, {
        'webhook-host': '127.0.0.1',
        'webhook-port': String(port(9443)),
        'health-addr': loopback(port(9440)),
        'metrics-addr': '0',
        'webhook-cert-dir': mount('/certs') ?? emptyFolder(folder, 'certs'),
      }),
  };
  return {
    'quay.io/jetstack/cert-manager-controller': {
      command: certManager('controller'),
      ports: [9403],
      args: ({ args, port }) =>
        withFlags(args, {
          'internal-healthz-listen-address': loopback(port(9403)),
          'metrics-listen-address': '0',
        }),
    },
    'quay.io/jetstack/cert-manager-webhook': {
      command: certManager('webhook'),
      ports: [10250, 6080],
      args: ({ args, port }) =>
        withFlags(args, {
          'bind-address': '127.0.0.1',
          'secure-port': String(port(10250)),
          'healthz-port': String(port(6080)),
          'metrics-listen-address': '0',
        }),
    },
    'quay.io/jetstack/cert-manager-cainjector': {
      command: certManager('cainjector'),
      args: ({ args }) => withFlags(args, { 'metrics-listen-address': '0' }),
    },
    'quay.io/jetstack/cert-manager-startupapicheck': { command: certManager('startupapicheck') },
    // The chart uses the first name; AKS and newer documents of the project use the second.
    'mcr.microsoft.com/oss/azure/workload-identity/webhook': workloadIdentityWebhook,
    'mcr.microsoft.com/oss/v2/azure/workload-identity/webhook': workloadIdentityWebhook,
    'mcr.microsoft.com/k8s/azureserviceoperator': serviceOperatorImage(toolchain),
    // A stock image, whose program is in what the pod mounts.
    'docker.io/library/node': {
      command: [process.execPath],
      ports: [8080],
      env: ({ port }) => ({ PORT: String(port(8080)), HOST: '127.0.0.1' }),
    },
    ...podIdentityImages(toolchain),
    ...hyperShiftImages(toolchain),
    ...(readerBundle === undefined
      ? {}
      : {
          [`ghcr.io/${PROJECT}/reader`]: {
            command: [process.execPath, readerBundle],
            ports: [8080],
            env: ({ port }) => ({ PORT: String(port(8080)), HOST: '127.0.0.1' }),
          },
        }),
  };
}

function emptyFolder(parent: string, name: string): string {
  const folder = path.join(parent, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}
