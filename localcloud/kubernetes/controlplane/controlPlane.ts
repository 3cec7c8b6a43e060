import { mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { stringify } from 'yaml';
import type { Toolchain } from '../../toolchain/index';
import { ApiClient, ApiError } from '../api/client';
import type { EgressResolver } from '../egress/proxy';
import { startEgressProxy } from '../egress/proxy';
import { writeWhole } from '../../writeWhole';
import type { Logger } from '../../logger';
import { stopOrphanedProcesses } from '../process/orphanedProcesses';
import type { SupervisedStatus } from '../process/supervised';
import { SupervisedProcess } from '../process/supervised';
import { socketFolder } from '../socketFolder';
import { acceptsPods, bootstrap } from './bootstrap';
import type { KeyPair } from './certificates';
import { issueCertificate } from './certificates';
import type { CommandContext } from './commands';
import * as commands from './commands';
import type { ClientName, Credentials } from './credentials';
import { ensureCredentials } from './credentials';
import { clientKubeconfig } from './kubeconfig';
import { kwokConfig } from './kwokStages';
import { nodeIp } from './node';
import type { ClusterPaths } from './paths';
import type { ClusterPorts } from './ports';
import { apiServerAddress, ensurePorts, releasePorts } from './ports';

/** Addresses of pods that kwok simulates; the agent's pods are in the upper half. */
const kwokPodRange = '10.244.0.0/17';

/** Time limit for a start. On a busy machine with two cores, an API server can take 20 s. */
const readyTimeoutMs = 120_000;

export interface ControlPlaneOptions {
  /** Name of the cluster and of the kubeconfig's context. */
  name: string;
  issuer: string;
  paths: ClusterPaths;
  toolchain: Pick<Toolchain, 'require'>;
  /** Image repositories that the agent runs as processes. */
  tableRepositories: readonly string[];
  resolveEgress: EgressResolver;
  logger: Logger;
  /** Aborts a running start. */
  signal: AbortSignal;
}

/** etcd, API server, controller manager, scheduler, kwok and the egress proxy. */
export class ControlPlane {
  private readonly processes: SupervisedProcess[] = [];
  private readonly disposers: (() => Promise<void> | void)[] = [];

  private constructor(
    private readonly options: ControlPlaneOptions,
    readonly ports: ClusterPorts,
    private readonly credentials: Credentials,
    /** A client as a member of system:masters. */
    readonly client: ApiClient,
  ) {}

  /** Starts the control plane. Resolves when pods can be created. After a failure, everything is stopped again. */
  static async start(options: ControlPlaneOptions): Promise<ControlPlane> {
    const { paths, logger } = options;
    await mkdir(paths.root, { recursive: true, mode: 0o700 });
    const stopped = await stopOrphanedProcesses(paths.pids);
    if (stopped.length > 0) logger.info(`stopped processes of an earlier run: ${stopped.join(', ')}`);
    const [credentials, ports] = await Promise.all([
      ensureCredentials(paths.pki),
      ensurePorts(paths.ports, logger),
    ]);
    const client = new ApiClient({
      server: apiServerAddress(ports),
      ca: credentials.pair('ca').cert,
      ...credentials.pair('agent'),
    });
    const controlPlane = new ControlPlane(options, ports, credentials, client);
    try {
      await controlPlane.launch();
      return controlPlane;
    } catch (error) {
      await controlPlane.stop();
      throw error;
    }
  }

  get server(): string {
    return apiServerAddress(this.ports);
  }

  get caCertificate(): string {
    return this.credentials.pair('ca').cert;
  }

  /** Serving certificate of the node's endpoint. */
  get kubeletCertificate(): KeyPair {
    return this.credentials.pair('kubelet');
  }

  /** Creates a serving certificate of the cluster's authority. */
  servingCertificate(dnsName: string): Promise<KeyPair> {
    return issueCertificate(this.credentials.pair('ca'), {
      commonName: dnsName,
      dnsNames: [dnsName],
      usage: 'server',
    });
  }

  kubeconfig(client: ClientName): string {
    const { server, credentials } = this;
    return clientKubeconfig({ name: this.options.name, server, credentials }, client);
  }

  status(): SupervisedStatus[] {
    return this.processes.map((process) => process.status());
  }

  /** Stops all processes; the state stays. */
  async stop(): Promise<void> {
    // Clients of the API server stop first and etcd last, to keep connection errors out of the logs.
    for (const process of [...this.processes].reverse()) await process.stop();
    for (const dispose of this.disposers.reverse()) await dispose();
    this.client.close();
    releasePorts(this.ports);
  }

  private async launch(): Promise<void> {
    const { paths, toolchain, issuer, signal } = this.options;
    const context: CommandContext = { paths, ports: this.ports, credentials: this.credentials, issuer };
    this.writeConfigurations();
    await this.startEgress();

    const etcd = await this.startProcess(
      'etcd',
      commands.etcdCommand(await toolchain.require('etcd'), context),
    );
    await etcd.ready(() => accepts(this.ports.etcdClient), readyTimeoutMs, signal);

    const apiServerProgram = await toolchain.require('kube-apiserver');
    const apiServer = await this.startProcess(
      'kube-apiserver',
      commands.apiServerCommand(apiServerProgram, context),
    );
    await apiServer.ready(() => this.answers(), readyTimeoutMs, signal);

    const [controllerManager] = await Promise.all([
      toolchain
        .require('kube-controller-manager')
        .then((program) =>
          this.startProcess('kube-controller-manager', commands.controllerManagerCommand(program, context)),
        ),
      toolchain
        .require('kube-scheduler')
        .then((program) => this.startProcess('kube-scheduler', commands.schedulerCommand(program, context))),
      toolchain
        .require('kwok')
        .then((program) =>
          this.startProcess('kwok', commands.kwokCommand(program, context, kwokPodRange, nodeIp)),
        ),
      bootstrap(this.client),
    ]);
    await controllerManager.ready(() => acceptsPods(this.client), readyTimeoutMs, signal);
  }

  private async startProcess(name: string, argv: string[]): Promise<SupervisedProcess> {
    const { paths, logger } = this.options;
    await mkdir(paths.run, { recursive: true });
    const process = new SupervisedProcess(
      {
        name,
        argv,
        // Go programs need only these variables, and inherit nothing from the daemon. GOGC=200 means fewer garbage
        // collections than by default: less CPU at the start, and somewhat more memory.
        env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: paths.run, GOGC: '200' },
        cwd: paths.run,
        logFile: path.join(paths.logs, `${name}.log`),
        recordFolder: paths.pids,
      },
      logger,
    );
    this.processes.push(process);
    process.start();
    return process;
  }

  private writeConfigurations(): void {
    const { paths, tableRepositories } = this.options;
    for (const component of ['controller-manager', 'scheduler', 'kwok'] as const)
      writeWhole(commands.componentKubeconfigFile(paths, component), this.kubeconfig(component));
    writeWhole(commands.kwokConfigFile(paths), kwokConfig(tableRepositories));
  }

  private async startEgress(): Promise<void> {
    const { paths, resolveEgress, logger } = this.options;
    const sockets = await socketFolder(paths.run, 'egress.sock');
    this.disposers.push(sockets.dispose);
    const socket = path.join(sockets.path, 'egress.sock');
    this.disposers.push(await startEgressProxy(socket, resolveEgress, logger));
    writeWhole(commands.egressConfigFile(paths), stringify(commands.egressConfig(socket)));
  }

  private async answers(): Promise<boolean> {
    try {
      await this.client.text('GET', '/readyz', { timeoutMs: 5000 });
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.status < 500 && error.status !== 403) throw error;
      return false;
    }
  }
}

/** Tells whether something listens on the port. */
function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
