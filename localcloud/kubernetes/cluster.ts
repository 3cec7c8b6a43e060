import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { ClusterSpec, IdentityUse } from '../azure/clusterRuntime';
import type { CloudReply, CloudRequest } from '../azure/server/exchange';
import type { Toolchain } from '../toolchain/index';
import type { PodProcess } from './agent/agent';
import { Agent } from './agent/agent';
import type { NodePlugin } from './agent/csi/nodePlugin';
import { ControlPlane } from './controlplane/controlPlane';
import { describeNode } from './azureNode';
import { kubeletClientName } from './controlplane/credentials';
import { kubeletPort, nodeIp, nodeName } from './controlplane/node';
import type { ClusterPaths } from './controlplane/paths';
import type { EgressResolver } from './egress/proxy';
import { reviewIdentityUse } from './identityUse';
import type { ImageTable } from './imageTable';
import { nodeManagedIdentityImage, nodeManagedIdentityPort } from './podIdentityImages';
import { startKubeletServer } from './kubelet/server';
import type { Logger } from '../logger';
import { SecretsStore, driverName, removeSecretsStore } from './secretsStore';
import { startTokenProxy, tokenProxyName } from './tokenProxy';
import { ensureWorkloadIdentity, removeWorkloadIdentity } from './workloadIdentity';

/** Charts that AKS itself installs in a cluster. */
export type RuntimeChart = 'workload-identity-webhook' | 'secrets-store-csi-driver';

export interface ClusterOptions {
  paths: ClusterPaths;
  toolchain: Pick<Toolchain, 'require'>;
  charts: () => Promise<Record<RuntimeChart, string>>;
  podEnvironment: (podAddress?: string) => Record<string, string>;
  /** Answers requests to the token proxy. */
  tokenForPod: (request: CloudRequest) => Promise<CloudReply>;
  images: ImageTable;
  renewTokensAt: number;
  logger: Logger;
  /** Aborts a running start. */
  signal: AbortSignal;
}

/** One running cluster: control plane, agent, the node's endpoint and the token proxy. */
export class Cluster {
  private secretsStore: SecretsStore | undefined;

  private constructor(
    readonly spec: ClusterSpec,
    private readonly options: ClusterOptions,
    private readonly controlPlane: ControlPlane,
    private readonly agent: Agent,
    /** Functions that stop the node's endpoint and the token proxy. */
    private readonly servers: readonly (() => Promise<void>)[],
    /** The CSI drivers that the agent can use. */
    private readonly drivers: Map<string, NodePlugin>,
  ) {}

  static async start(spec: ClusterSpec, options: ClusterOptions): Promise<Cluster> {
    const { paths, toolchain, images, podEnvironment, renewTokensAt, logger, signal } = options;
    // The control plane needs the resolver before the agent exists; it is replaced below.
    let resolve: EgressResolver = () => ({ refused: 'the agent has not started yet' });
    const controlPlane = await ControlPlane.start({
      name: spec.name,
      issuer: spec.issuer,
      paths,
      toolchain,
      tableRepositories: Object.keys(images),
      resolveEgress: (host, port) => resolve(host, port),
      logger,
      signal,
    });
    const drivers = new Map<string, NodePlugin>();
    const agent = new Agent({
      clusterName: spec.name,
      server: controlPlane.server,
      caCertificate: controlPlane.caCertificate,
      nodeIp,
      nodeName,
      paths,
      client: controlPlane.client,
      images,
      podEnvironment,
      renewTokensAt,
      csiDrivers: (name) => drivers.get(name),
      logger,
    });
    resolve = (host, port) =>
      host === nodeIp && port === kubeletPort
        ? { port: controlPlane.ports.kubelet }
        : agent.resolve(host, port);
    const servers: (() => Promise<void>)[] = [];
    try {
      await agent.start();
      await removeOtherPods(paths, agent);
      const kubelet = await startKubeletServer({
        port: controlPlane.ports.kubelet,
        certificate: controlPlane.kubeletCertificate,
        caCertificate: controlPlane.caCertificate,
        clientName: kubeletClientName,
        findPod: (namespace, name) => agent.findPod(namespace, name),
        logger,
      });
      const name = tokenProxyName(spec.id);
      servers.push(kubelet);
      const tokenProxy = await startTokenProxy({
        port: controlPlane.ports.tokenProxy,
        name,
        certificate: await controlPlane.servingCertificate(name),
        answer: options.tokenForPod,
        logger,
      });
      servers.push(tokenProxy);
      return new Cluster(spec, options, controlPlane, agent, servers, drivers);
    } catch (error) {
      await Promise.all(servers.map((stop) => stop()));
      await agent.stop();
      await controlPlane.stop();
      throw error;
    }
  }

  /** Writes the facts about Azure that AKS puts on a node. */
  async setNode({ nodes, tenantId }: ClusterSpec): Promise<void> {
    if (nodes === undefined) return;
    await describeNode(this.controlPlane.client, this.options.paths.node, { ...nodes, tenantId });
  }

  /** Returns the port of aad-pod-identity's node component; undefined if it does not run. */
  nodeManagedIdentity(): number | undefined {
    return this.agent.portOf(nodeManagedIdentityImage, nodeManagedIdentityPort);
  }

  /** Returns the names of pods that were ready when the cluster stopped and are not ready again yet. */
  unreadyPods(): string[] {
    return this.agent.unreadyPods();
  }

  /** Installs or removes the workload identity webhook; resolves when it responds. */
  async setWorkloadIdentity(on: boolean, tenantId: string): Promise<void> {
    const { toolchain, charts, paths, logger, signal } = this.options;
    const common = {
      helm: () => toolchain.require('helm'),
      kubeconfig: this.controlPlane.kubeconfig('admin'),
      client: this.controlPlane.client,
      paths,
      logger,
      signal,
    };
    if (!on) await removeWorkloadIdentity(common);
    else {
      const chart = (await charts())['workload-identity-webhook'];
      const { tokenProxy } = this.controlPlane.ports;
      const proxy = { url: `https://127.0.0.1:${tokenProxy}`, name: tokenProxyName(this.spec.id) };
      await ensureWorkloadIdentity({ ...common, chart, tenantId, proxy });
    }
  }

  /** Starts, changes or removes the Secrets Store CSI driver; resolves when it responds. */
  async setSecretsStore(on: boolean, rotation?: string): Promise<void> {
    const { toolchain, charts, podEnvironment, paths, logger, signal } = this.options;
    const kubeconfigs = {
      administrator: this.controlPlane.kubeconfig('admin'),
      driver: this.controlPlane.kubeconfig('secrets-store'),
    };
    if (on && this.secretsStore?.rotation !== rotation) {
      await this.secretsStore?.stop();
      this.secretsStore = undefined;
    }
    if (on && this.secretsStore === undefined) {
      this.secretsStore = await SecretsStore.start({
        toolchain,
        chart: async () => (await charts())['secrets-store-csi-driver'],
        kubeconfigs,
        client: this.controlPlane.client,
        environment: podEnvironment(),
        rotation,
        paths,
        logger,
        signal,
      });
      this.drivers.set(driverName, this.secretsStore.plugin);
    } else if (!on) {
      this.drivers.delete(driverName);
      await this.secretsStore?.stop();
      this.secretsStore = undefined;
      await removeSecretsStore({ toolchain, kubeconfigs, paths, logger, signal });
    }
  }

  /** Reviews a token and the permission of its account. */
  reviewIdentityUse(request: Parameters<typeof reviewIdentityUse>[1]): Promise<IdentityUse> {
    return reviewIdentityUse(this.controlPlane.client, request);
  }

  issuerDocument(document: 'discovery' | 'keys'): Promise<unknown> {
    return this.controlPlane.client.get(
      document === 'discovery' ? '/.well-known/openid-configuration' : '/openid/v1/jwks',
    );
  }

  status() {
    const pods: PodProcess[] = this.agent.processes();
    return {
      id: this.spec.id,
      name: this.spec.name,
      server: this.controlPlane.server,
      processes: [...this.controlPlane.status(), ...(this.secretsStore?.status() ?? [])],
      pods,
    };
  }

  /** Stops every process; the state stays. */
  async stop(): Promise<void> {
    await Promise.all(this.servers.map((stop) => stop()));
    await this.agent.stop();
    await this.secretsStore?.stop();
    await this.controlPlane.stop();
  }
}

/** Removes folders of pods that were deleted while the daemon was down. */
async function removeOtherPods(paths: ClusterPaths, agent: Agent): Promise<void> {
  const known = agent.podUids();
  const folders = await readdir(paths.pods).catch(() => []);
  await Promise.all(
    folders
      .filter((uid) => !known.has(uid))
      .map((uid) => rm(path.join(paths.pods, uid), { recursive: true, force: true })),
  );
}
