import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { ClusterSpec } from '../azure/clusterRuntime';
import type { Toolchain } from '../toolchain/index';
import type { PodProcess } from './agent/agent';
import { Agent } from './agent/agent';
import { ControlPlane } from './controlplane/controlPlane';
import { kubeletClientName } from './controlplane/credentials';
import { kubeletPort, nodeIp, nodeName } from './controlplane/node';
import type { ClusterPaths } from './controlplane/paths';
import type { EgressResolver } from './egress/proxy';
import type { ImageTable } from './images';
import { startKubeletServer } from './kubelet/server';
import type { Logger } from './logger';
import { ensureWorkloadIdentity, removeWorkloadIdentity } from './workloadIdentity';

export interface ClusterOptions {
  paths: ClusterPaths;
  toolchain: Pick<Toolchain, 'require'>;
  charts: () => Promise<{ 'workload-identity-webhook': string }>;
  podEnvironment: () => Record<string, string>;
  images: ImageTable;
  renewTokensAt: number;
  logger: Logger;
  /** Ends a start that is under way. */
  signal: AbortSignal;
}

/** One running cluster: control plane, agent and the node's endpoint. */
export class Cluster {
  private constructor(
    readonly spec: ClusterSpec,
    private readonly options: ClusterOptions,
    private readonly controlPlane: ControlPlane,
    private readonly agent: Agent,
    private readonly stopKubelet: () => Promise<void>,
  ) {}

  static async start(spec: ClusterSpec, options: ClusterOptions): Promise<Cluster> {
    const { paths, toolchain, images, podEnvironment, renewTokensAt, logger, signal } = options;
    // The control plane needs the way to the pods, the agent the control plane: this is filled in below.
    let resolve: EgressResolver = () => ({ refused: 'the agent is not up yet' });
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
      logger,
    });
    resolve = (host, port) =>
      host === nodeIp && port === kubeletPort
        ? { port: controlPlane.ports.kubelet }
        : agent.resolve(host, port);
    try {
      await agent.start();
      await removeOtherPods(paths, agent);
      const stopKubelet = await startKubeletServer({
        port: controlPlane.ports.kubelet,
        certificate: controlPlane.kubeletCertificate,
        caCertificate: controlPlane.caCertificate,
        clientName: kubeletClientName,
        findPod: (namespace, name) => agent.findPod(namespace, name),
        logger,
      });
      return new Cluster(spec, options, controlPlane, agent, stopKubelet);
    } catch (error) {
      await agent.stop();
      await controlPlane.stop();
      throw error;
    }
  }

  /** Installs, or removes, what AKS runs with workload identity; resolves when it answers. */
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
      await ensureWorkloadIdentity({ ...common, chart, tenantId });
    }
  }

  kubeconfig(role: 'admin' | 'user'): string {
    return this.controlPlane.kubeconfig(role);
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
      processes: this.controlPlane.status(),
      pods,
    };
  }

  /** Ends every process; the state stays. */
  async stop(): Promise<void> {
    await this.stopKubelet();
    await this.agent.stop();
    await this.controlPlane.stop();
  }
}

/** Folders of pods that were removed while the daemon was down. */
async function removeOtherPods(paths: ClusterPaths, agent: Agent): Promise<void> {
  const known = agent.podUids();
  const folders = await readdir(paths.pods).catch(() => []);
  await Promise.all(
    folders
      .filter((uid) => !known.has(uid))
      .map((uid) => rm(path.join(paths.pods, uid), { recursive: true, force: true })),
  );
}
