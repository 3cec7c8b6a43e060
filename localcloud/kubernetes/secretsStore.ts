import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import type { Toolchain } from '../toolchain/index';
import { NodePlugin } from './agent/csi/nodePlugin';
import type { ApiClient } from './api/client';
import { isStatus } from './api/client';
import { nodeName } from './controlplane/node';
import type { ClusterPaths } from './controlplane/paths';
import { readIfExists, writeWhole } from './files';
import type { Helm } from './helm';
import { openHelm } from './helm';
import type { Logger } from './logger';
import type { SupervisedStatus } from './process/supervised';
import { SupervisedProcess } from './process/supervised';
import { socketFolder } from './socketFolder';

export const driverName = 'secrets-store.csi.k8s.io';

/** Where AKS installs the add-on. */
const namespace = 'kube-system';
const release = 'secrets-store-csi-driver';

/**
 * The add-on's choices. Its daemon sets are left out: on this node driver and provider run as processes. The
 * definitions come with the chart itself; the hook that renews them is an image.
 */
const values = {
  'linux.enabled': 'false',
  'linux.crds.enabled': 'false',
  'syncSecret.enabled': 'true',
  'tokenRequests[0].audience': 'api://AzureADTokenExchange',
};

const readyTimeoutMs = 60_000;

export interface SecretsStoreOptions {
  toolchain: Pick<Toolchain, 'require'>;
  /** File of the driver's chart. */
  chart: () => Promise<string>;
  /** Kubeconfig (YAML) of an administrator, and one with the rights that the chart gives the driver. */
  kubeconfigs: { administrator: string; driver: string };
  client: ApiClient;
  /** Proxy and authorities, by which the provider reaches the vaults. */
  environment: Record<string, string>;
  paths: ClusterPaths;
  logger: Logger;
  /** Ends a start that is under way. */
  signal: AbortSignal;
}

/** The Secrets Store CSI driver with Azure's provider: the vendors' programs, beside the cluster's other processes. */
export class SecretsStore {
  private constructor(
    readonly plugin: NodePlugin,
    private readonly processes: SupervisedProcess[],
    private readonly dispose: () => Promise<void>,
  ) {}

  /** Installs what the chart holds, starts both programs, and resolves when the driver answers. */
  static async start(options: SecretsStoreOptions): Promise<SecretsStore> {
    await install(options);
    const { paths, toolchain, logger, signal } = options;
    const sockets = await socketFolder(path.join(paths.run, 'csi'), 'azure.sock');
    const [driver, provider] = [path.join(sockets.path, 'csi.sock'), path.join(sockets.path, 'azure.sock')];
    const kubeconfig = path.join(paths.run, 'secrets-store.kubeconfig');
    await writeWhole(kubeconfig, options.kubeconfigs.driver);
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
        ],
        { PATH: await mountsNothing(paths), KUBECONFIG: kubeconfig },
      ),
    ];
    const store = new SecretsStore(new NodePlugin(driver), processes, sockets.dispose);
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

  /** Ends both programs; what is installed in the cluster stays. */
  async stop(): Promise<void> {
    this.plugin.close();
    await Promise.all(this.processes.map((process) => process.stop()));
    await this.dispose();
  }
}

/** Removes the chart where it was installed before; its definitions, and so the classes, stay, as helm leaves them. */
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
  const wanted = createHash('sha256')
    .update(await readFile(chart))
    .update(JSON.stringify(values))
    .digest('hex');
  if ((await readIfExists(paths.secretsStore))?.trim() === wanted && (await isInstalled(client))) return;
  const set = Object.entries(values).flatMap(([name, value]) => [
    value === 'true' || value === 'false' ? '--set' : '--set-string',
    `${name}=${value}`,
  ]);
  const helm = await helmOf(options);
  await helm.run(['upgrade', release, chart, '--install', '--namespace', namespace, ...set]);
  await writeWhole(paths.secretsStore, `${wanted}\n`);
  logger.info('secrets store driver installed');
}

async function helmOf({
  toolchain,
  kubeconfigs,
  paths,
  signal,
}: Pick<SecretsStoreOptions, 'toolchain' | 'kubeconfigs' | 'paths' | 'signal'>): Promise<Helm> {
  const file = path.join(paths.run, 'helm.kubeconfig');
  await writeWhole(file, kubeconfigs.administrator);
  return openHelm(await toolchain.require('helm'), paths.helm, file, signal);
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
 * A PATH whose `mount` and `umount` do nothing: the driver mounts a tmpfs over each volume's folder, which takes
 * root, and writes the files into what is there. Without the mount they are in the pod's folder itself.
 */
async function mountsNothing(paths: ClusterPaths): Promise<string> {
  const folder = path.join(paths.run, 'no-mounts');
  await mkdir(folder, { recursive: true });
  for (const name of ['mount', 'umount']) {
    const file = path.join(folder, name);
    await writeWhole(file, '#!/bin/sh\nexit 0\n', 0o755);
    await chmod(file, 0o755);
  }
  return folder;
}

/** Whether something listens on the socket file. */
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
