import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { BINDING_AUDIENCE } from '../azure/arm/resources/identityBindings';
import type { Toolchain } from '../toolchain/index';
import { NodePlugin } from './agent/csi/nodePlugin';
import type { ApiClient } from './api/client';
import { isStatus } from './api/client';
import { nodeName } from './controlplane/node';
import type { ClusterPaths } from './controlplane/paths';
import { readIfExists } from './readIfExists';
import { writeWhole } from '../writeWhole';
import type { Helm } from './helm';
import { openHelm } from './helm';
import type { Logger } from '../logger';
import type { SupervisedStatus } from './process/supervised';
import { SupervisedProcess } from './process/supervised';
import { socketFolder } from './socketFolder';

export const driverName = 'secrets-store.csi.k8s.io';

/** Namespace of AKS's add-on. */
const namespace = 'kube-system';
const release = 'secrets-store-csi-driver';

/**
 * Values as in the add-on, but without the daemon sets, because driver and provider run as processes. The chart itself
 * contains the definitions; the hook that updates them is off, because it needs an image.
 */
const values: Readonly<Record<string, string>> = {
  'linux.enabled': 'false',
  'linux.crds.enabled': 'false',
  'syncSecret.enabled': 'true',
  'tokenRequests[0].audience': 'api://AzureADTokenExchange',
  // As in the provider's chart. The provider refuses `useAzureTokenProxy`, which needs it.
  'tokenRequests[1].audience': BINDING_AUDIENCE,
};

const readyTimeoutMs = 60_000;

export interface SecretsStoreOptions {
  toolchain: Pick<Toolchain, 'require'>;
  /** File of the driver's chart. */
  chart: () => Promise<string>;
  /** Kubeconfigs (YAML): an administrator's, and one with the permissions of the driver's chart. */
  kubeconfigs: { administrator: string; driver: string };
  client: ApiClient;
  /** Interval after which mounted secrets are read again. @default they are not read again */
  rotation?: string;
  /** Proxy and certificate authorities, through which the provider reaches vaults and the metadata service. */
  environment: Record<string, string>;
  paths: ClusterPaths;
  logger: Logger;
  /** Aborts a running start. */
  signal: AbortSignal;
}

/** The Secrets Store CSI driver with its provider for Azure: the vendors' programs. */
export class SecretsStore {
  private constructor(
    readonly plugin: NodePlugin,
    /** Interval of the rotation, if it is on. */
    readonly rotation: string | undefined,
    private readonly processes: SupervisedProcess[],
    private readonly dispose: () => Promise<void>,
  ) {}

  /** Installs the chart's objects, starts both programs, and resolves when the driver responds. */
  static async start(options: SecretsStoreOptions): Promise<SecretsStore> {
    await install(options);
    const { paths, toolchain, logger, signal } = options;
    const sockets = await socketFolder(path.join(paths.run, 'csi'), 'azure.sock');
    const [driver, provider] = [path.join(sockets.path, 'csi.sock'), path.join(sockets.path, 'azure.sock')];
    const kubeconfig = path.join(paths.run, 'secrets-store.kubeconfig');
    writeWhole(kubeconfig, options.kubeconfigs.driver);
    const start = (name: string, argv: string[], env: Record<string, string>) => {
      const process = new SupervisedProcess(
        {
          name,
          argv,
          env: { HOME: paths.run, ...env },
          cwd: paths.run,
          logFile: path.join(paths.logs, `${name}.log`),
          recordFolder: paths.pids,
        },
        logger,
      );
      process.start();
      return process;
    };
    const processes = [
      start(
        'secrets-store-provider-azure',
        [await toolchain.require('secrets-store-provider-azure'), `--endpoint=unix://${provider}`],
        { PATH: '/usr/local/bin:/usr/bin:/bin', ...options.environment },
      ),
      start(
        'secrets-store-csi-driver',
        [
          await toolchain.require('secrets-store-csi-driver'),
          ...[`--endpoint=unix://${driver}`, `--nodeid=${nodeName}`, `--provider-volume=${sockets.path}`],
          '--metrics-addr=0',
          ...(options.rotation === undefined
            ? []
            : ['--enable-secret-rotation=true', `--rotation-poll-interval=${options.rotation}`]),
        ],
        { PATH: await mountsNothing(paths), KUBECONFIG: kubeconfig },
      ),
    ];
    const store = new SecretsStore(new NodePlugin(driver), options.rotation, processes, sockets.dispose);
    try {
      await processes[0]?.ready(() => accepts(provider), readyTimeoutMs, signal);
      await processes[1]?.ready(() => store.plugin.answers(), readyTimeoutMs, signal);
      return store;
    } catch (error) {
      await store.stop();
      throw error;
    }
  }

  status(): SupervisedStatus[] {
    return this.processes.map((process) => process.status());
  }

  /** Stops both programs; the installed objects stay. */
  async stop(): Promise<void> {
    this.plugin.close();
    await Promise.all(this.processes.map((process) => process.stop()));
    await this.dispose();
  }
}

/**
 * Uninstalls the chart if it is installed. Its definitions stay, as usual with helm, and so do the
 * SecretProviderClasses.
 */
export async function removeSecretsStore(
  options: Pick<SecretsStoreOptions, 'toolchain' | 'kubeconfigs' | 'paths' | 'logger' | 'signal'>,
): Promise<void> {
  const { paths, logger } = options;
  if ((await readIfExists(paths.secretsStore)) === undefined) return;
  await (await helmOf(options)).run(['uninstall', release, '--namespace', namespace, '--ignore-not-found']);
  await rm(paths.secretsStore, { force: true });
  logger.info('secrets store driver removed');
}

async function install(options: SecretsStoreOptions): Promise<void> {
  const { client, paths, logger } = options;
  const chart = await options.chart();
  // With rotation, the driver's CSIDriver object asks kubelets to publish volumes repeatedly.
  const set = { ...values, enableSecretRotation: String(options.rotation !== undefined) };
  const digest = createHash('sha256')
    .update(await readFile(chart))
    .update(JSON.stringify(set))
    .digest('hex');
  if ((await readIfExists(paths.secretsStore))?.trim() === digest && (await isInstalled(client))) return;
  const flags = Object.entries(set).flatMap(([name, value]) => [
    value === 'true' || value === 'false' ? '--set' : '--set-string',
    `${name}=${value}`,
  ]);
  const helm = await helmOf(options);
  await helm.run(['upgrade', release, chart, '--install', '--namespace', namespace, ...flags]);
  writeWhole(paths.secretsStore, `${digest}\n`);
  logger.info('secrets store driver installed');
}

async function helmOf({
  toolchain,
  kubeconfigs,
  paths,
  signal,
}: Pick<SecretsStoreOptions, 'toolchain' | 'kubeconfigs' | 'paths' | 'signal'>): Promise<Helm> {
  const program = await toolchain.require('helm');
  return openHelm({ program, kubeconfig: kubeconfigs.administrator, paths, signal });
}

async function isInstalled(client: ApiClient): Promise<boolean> {
  try {
    await client.get(`/apis/storage.k8s.io/v1/csidrivers/${driverName}`);
    return true;
  } catch (error) {
    if (isStatus(error, 404)) return false;
    throw error;
  }
}

/**
 * Returns a PATH with `mount` and `umount` commands that do nothing. The driver mounts a tmpfs over each volume's folder,
 * which needs root, and then writes the files. Without the mount, the files are in the pod's folder itself.
 */
async function mountsNothing(paths: ClusterPaths): Promise<string> {
  const folder = path.join(paths.run, 'no-mounts');
  await mkdir(folder, { recursive: true });
  for (const name of ['mount', 'umount']) {
    const file = path.join(folder, name);
    writeWhole(file, '#!/bin/sh\nexit 0\n', 0o755);
    await chmod(file, 0o755);
  }
  return folder;
}

/** Tells whether something listens on the socket file. */
function accepts(file: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(file);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
