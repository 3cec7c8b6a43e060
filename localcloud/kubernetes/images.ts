import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Toolchain } from '../toolchain/index';
import { serviceOperatorImage } from './serviceOperatorImage';

/** What an entry knows about the container it is to start. */
export interface LaunchContext {
  /** Arguments of the container, expanded, with mount paths replaced. */
  args: readonly string[];
  /**
   * Loopback port that plays a container port.
   * @throws if the pod has no such port and the entry does not name it in `ports`
   */
  port: (containerPort: number | string) => number;
  /** Host folder that plays a mount path of the container; undefined if nothing is mounted there. */
  mount: (mountPath: string) => string | undefined;
  /** Empty folder of the container's own. */
  folder: string;
}

/** How containers of one image are played by a process. */
export interface ImageEntry {
  /** Program and first arguments; a function where it has to be found first, which gives up when the pod goes. */
  command: readonly string[] | ((signal: AbortSignal) => Promise<readonly string[]>);
  /** Ports the program listens on, beyond those that the pod declares or its probes name. */
  ports?: readonly number[];
  /** The process's arguments. @default the container's */
  args?: (context: LaunchContext) => string[];
  /** What the image holds below its working directory: name → path on this host. */
  files?: () => Promise<Readonly<Record<string, string>>>;
  /** It ends with exit code 0 in order to be started again: that is no failure, and not delayed as one. */
  restartsItself?: boolean;
  /** Variables that the process needs here, over those of the pod. */
  env?: (context: LaunchContext) => Record<string, string>;
}

/** Image repository (no tag, no digest) → entry. Pods with none of these images are played by kwok. */
export type ImageTable = Readonly<Record<string, ImageEntry>>;

/** Sets flags of the form `--name=value`, in place of those of the same name (also `--name value`). */
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
  /** File of the example application's bundle; its image is left to kwok if absent. */
  readerBundle?: string;
}

const loopback = (port: number) => `127.0.0.1:${port}`;

/** The images that the local cloud plays with real programs. */
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
    // The chart names the first, AKS and the project's newer documents the second.
    'mcr.microsoft.com/oss/azure/workload-identity/webhook': workloadIdentityWebhook,
    'mcr.microsoft.com/oss/v2/azure/workload-identity/webhook': workloadIdentityWebhook,
    'mcr.microsoft.com/k8s/azureserviceoperator': serviceOperatorImage(toolchain),
    ...(readerBundle === undefined
      ? {}
      : {
          'ghcr.io/aks-workload-identity/reader': {
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
