import { rm } from 'node:fs/promises';
import path from 'node:path';
import { RuntimeClosed, type ClusterRuntime, type ClusterSpec } from '../azure/clusterRuntime';
import type { CloudReply, CloudRequest } from '../azure/server/exchange';
import type { Toolchain } from '../toolchain/index';
import type { RuntimeChart } from './cluster';
import { Cluster } from './cluster';
import { ensureCredentials, forgetCredentials } from './controlplane/credentials';
import { clientKubeconfig } from './controlplane/kubeconfig';
import { clusterPaths } from './controlplane/paths';
import { apiServerAddress, recordedPorts } from './controlplane/ports';
import type { ImageTable } from './imageTable';
import type { Logger } from '../logger';
import { prefixed } from '../logger';
import { stopOrphanedProcesses } from './process/orphanedProcesses';
import { tooFewWatchers } from './watchers';

export interface ClusterRuntimeOptions {
  /** Folder with one folder for each cluster. */
  stateDir: string;
  toolchain: Pick<Toolchain, 'require'>;
  /** Returns the chart files; packages missing ones first. */
  charts: () => Promise<Record<RuntimeChart, string>>;
  /** Returns the proxy and certificate authority variables for processes of a cluster's node, or of one of its pods. */
  podEnvironment: (clusterId: string, podAddress?: string) => Record<string, string>;
  /**
   * Answers requests to a cluster's token proxy.
   *
   * @default it answers with status 503
   */
  tokenForPod?: (clusterId: string, request: CloudRequest) => Promise<CloudReply>;
  images: ImageTable;
  logger: Logger;
  /** Fraction of a projected token's lifetime after which it is renewed. @default 0.8, as for a kubelet */
  renewTokensAt?: number;
}

type ClusterStatus = ReturnType<Cluster['status']>;

export interface LocalClusterRuntime extends ClusterRuntime {
  /** Stops every cluster. Their state stays, and `ensure` resumes them. */
  close(): Promise<void>;
  status(): ClusterStatus[];
}

const noTokens = (): Promise<CloudReply> =>
  Promise.resolve({ status: 503, body: { error: 'temporarily_unavailable' } });

const clusterId = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** Runs managed clusters as processes on this machine. */
export function createClusterRuntime(options: ClusterRuntimeOptions): LocalClusterRuntime {
  const running = new Map<string, Cluster>();
  /** The last task of each cluster. Tasks of one cluster run one after the other, those of different ones in parallel. */
  const queues = new Map<string, Promise<unknown>>();
  const closing = new AbortController();

  const queue = <T>(id: string, work: () => Promise<T>): Promise<T> => {
    const result = (queues.get(id) ?? Promise.resolve()).catch(() => undefined).then(work);
    queues.set(id, result);
    return result;
  };
  const pathsOf = (id: string) => {
    // The id becomes the name of a folder.
    if (!clusterId.test(id)) throw new Error(`cluster id "${id}" is not a lowercase GUID`);
    return clusterPaths(path.join(options.stateDir, id));
  };
  const runningCluster = (id: string): Cluster => {
    const cluster = running.get(id);
    if (!cluster)
      throw new Error(
        `cluster ${id} is not running; running clusters: ${[...running.keys()].join(', ') || 'none'}`,
      );
    return cluster;
  };
  const start = async (spec: ClusterSpec): Promise<Cluster> => {
    const { problem, hint } = tooFewWatchers(1) ?? {};
    if (problem !== undefined) throw new Error(`${problem} ${hint ?? ''}`);
    const { renewTokensAt = 0.8, logger, podEnvironment, tokenForPod = noTokens, ...rest } = options;
    const cluster = await Cluster.start(spec, {
      ...rest,
      renewTokensAt,
      podEnvironment: (podAddress) => podEnvironment(spec.id, podAddress),
      tokenForPod: (request) => tokenForPod(spec.id, request),
      signal: closing.signal,
      paths: pathsOf(spec.id),
      logger: prefixed(logger, `cluster ${spec.name}`),
    });
    running.set(spec.id, cluster);
    return cluster;
  };

  const stop = async (id: string): Promise<void> => {
    const cluster = running.get(id);
    running.delete(id);
    await cluster?.stop();
    await stopOrphanedProcesses(pathsOf(id).pids);
  };

  const ensure = async (spec: ClusterSpec): Promise<void> => {
    closing.signal.throwIfAborted();
    const current = running.get(spec.id);
    if (current && current.spec.issuer !== spec.issuer) await stop(spec.id);
    const cluster = running.get(spec.id) ?? (await start(spec));
    await cluster.setNode(spec);
    await cluster.setWorkloadIdentity(spec.workloadIdentity, spec.tenantId);
    await cluster.setSecretsStore(spec.secretsStore ?? false, spec.secretsRotation);
  };

  return {
    ensure: (spec) =>
      queue(spec.id, () =>
        ensure(spec).catch((error: unknown) => {
          // Any error after `close` is a consequence of closing.
          closing.signal.throwIfAborted();
          throw error;
        }),
      ),
    stop: (id) => queue(id, () => stop(id)),
    rotateCertificates: (id) =>
      queue(id, async () => {
        await stop(id);
        await forgetCredentials(pathsOf(id).pki);
      }),
    remove: (id) =>
      queue(id, async () => {
        await stop(id);
        await rm(pathsOf(id).root, { recursive: true, force: true });
      }),
    kubeconfig: ({ id, name }, role) =>
      queue(id, async () => {
        const paths = pathsOf(id);
        const { apiServer } = await recordedPorts(paths.ports);
        if (apiServer === undefined) throw new Error(`cluster ${id} was never started`);
        const credentials = await ensureCredentials(paths.pki);
        return clientKubeconfig({ name, server: apiServerAddress({ apiServer }), credentials }, role);
      }),
    // Not queued, because `ensure` holds the queue while the webhook starts, and a client for which it waits may need
    // these documents.
    issuerDocument: async (id, document) => await runningCluster(id).issuerDocument(document),
    reviewIdentityUse: async (id, request) => await runningCluster(id).reviewIdentityUse(request),
    nodeManagedIdentity: (id) => running.get(id)?.nodeManagedIdentity(),
    unreadyPods: (id) => running.get(id)?.unreadyPods() ?? [],
    status: () => [...running.values()].map((cluster) => cluster.status()),
    close: async () => {
      closing.abort(new RuntimeClosed());
      await Promise.allSettled(queues.values());
      const clusters = [...running.values()];
      running.clear();
      await Promise.all(clusters.map((cluster) => cluster.stop()));
    },
  };
}
