import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Toolchain } from '../toolchain/index';
import { hyperShiftImages } from './hyperShiftImages';
import { withFlags, type ImageEntry, type ImageTable } from './imageTable';
import { jobSetImages } from './jobSetImages';
import { podIdentityImages } from './podIdentityImages';
import { serviceOperatorImage } from './serviceOperatorImage';

export interface StandardImageOptions {
  toolchain: Pick<Toolchain, 'require' | 'definitions'>;
  /**
   * The project's own images, without tags, and the scripts that stand in for them. A script listens on port 8080.
   *
   * @default none
   */
  scripts?: Readonly<Record<string, string>>;
  /**
   * Working folder of the scripts.
   *
   * @default a folder of the pod
   */
  workingFolder?: string;
}

const loopback = (port: number) => `127.0.0.1:${port}`;

/** Returns the images that the local cloud runs as processes. */
export function standardImages({ toolchain, scripts = {}, workingFolder }: StandardImageOptions): ImageTable {
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
    // A stock image, whose program is in a volume of the pod.
    'docker.io/library/node': nodeImage(),
    ...podIdentityImages(toolchain),
    ...hyperShiftImages(toolchain),
    ...jobSetImages(toolchain),
    ...Object.fromEntries(
      Object.entries(scripts).map(([image, script]) => [
        image,
        { ...nodeImage(script), ...(workingFolder !== undefined && { workingFolder }) },
      ]),
    ),
  };
}

function nodeImage(...args: string[]): ImageEntry {
  return {
    command: [process.execPath, ...args],
    ports: [8080],
    env: ({ port }) => ({ PORT: String(port(8080)), HOST: '127.0.0.1' }),
  };
}

function emptyFolder(parent: string, name: string): string {
  const folder = path.join(parent, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}
