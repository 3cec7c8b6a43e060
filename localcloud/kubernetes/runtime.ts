import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { RuntimeClosed, type ClusterRuntime, type ClusterSpec } from '../azure/clusterRuntime';
import type { Toolchain } from '../toolchain/index';
import type { RuntimeChart } from './cluster';
import { Cluster } from './cluster';
import { clusterPaths } from './controlplane/paths';
import type { ImageTable } from './images';
import type { Logger } from './logger';
import { prefixed } from './logger';
import { stopLeftovers } from './process/leftovers';

export interface ClusterRuntimeOptions {
  /** Folder that holds one folder a cluster. */
  stateDir: string;
  toolchain: Pick<Toolchain, 'require'>;
  /** Chart files, packaged where they are absent. */
  charts: () => Promise<Record<RuntimeChart, string>>;
  /** Proxy and authority variables for every process that plays a pod. */
  podEnvironment: () => Record<string, string>;
  images: ImageTable;
  logger: Logger;
  /** Share of a projected token's life after which it is renewed. @default 0.8, as a kubelet */
  renewTokensAt?: number;
}

export type ClusterStatus = ReturnType<Cluster['status']>;

export interface LocalClusterRuntime extends ClusterRuntime {
  /** Stops every cluster; their state stays, and `ensure` resumes them. */
  close(): Promise<void>;
  status(): ClusterStatus[];
}

const clusterId = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** Runs managed clusters as processes of this machine. */
export function createClusterRuntime(options: ClusterRuntimeOptions): LocalClusterRuntime {
  const running = new Map<string, Cluster>();
  /** Work on one cluster comes one after the other, on different clusters side by side. */
  const queues = new Map<string, Promise<unknown>>();
  const closing = new AbortController();

  const queue = <T>(id: string, work: () => Promise<T>): Promise<T> => {
    const result = (queues.get(id) ?? Promise.resolve()).catch(() => undefined).then(work);
    queues.set(id, result);
    return result;
  };
  const pathsOf = (id: string) => {
    // It becomes a folder's name.
    if (!clusterId.test(id)) throw new Error(`cluster id "${id}" is not a GUID in lower case`);
    return clusterPaths(path.join(options.stateDir, id));
  };
  const runningCluster = (id: string): Cluster => {
    const cluster = running.get(id);
    if (!cluster)
      throw new Error(
        `cluster ${id} is not running; running are: ${[...running.keys()].join(', ') || 'none'}`,
      );
    return cluster;
  };
  const start = async (spec: ClusterSpec): Promise<Cluster> => {
    const { renewTokensAt = 0.8, logger, ...rest } = options;
    const cluster = await Cluster.start(spec, {
      ...rest,
      renewTokensAt,
      signal: closing.signal,
      paths: pathsOf(spec.id),
      logger: prefixed(logger, `cluster ${spec.name}`),
    });
    running.set(spec.id, cluster);
    return cluster;
  };

  const ensure = async (spec: ClusterSpec): Promise<void> => {
    closing.signal.throwIfAborted();
    let cluster = running.get(spec.id);
    if (cluster && cluster.spec.issuer !== spec.issuer) {
      running.delete(spec.id);
      await cluster.stop();
      cluster = undefined;
    }
    cluster ??= await start(spec);
    await cluster.setWorkloadIdentity(spec.workloadIdentity, spec.tenantId);
    await cluster.setSecretsStore(spec.secretsStore ?? false);
  };

  return {
    ensure: (spec) =>
      queue(spec.id, () =>
        ensure(spec).catch((error: unknown) => {
          // Whatever broke on the way: it broke because it was given up.
          closing.signal.throwIfAborted();
          throw error;
        }),
      ),
    remove: (id) =>
      queue(id, async () => {
        const paths = pathsOf(id);
        const cluster = running.get(id);
        running.delete(id);
        await cluster?.stop();
        await stopLeftovers(paths.pids);
        await rm(paths.root, { recursive: true, force: true });
      }),
    kubeconfig: (id, role) => queue(id, () => Promise.resolve(runningCluster(id).kubeconfig(role))),
    // Not queued: the webhook's start, during which `ensure` holds the queue, may be waited for by a client
    // that needs these documents.
    issuerDocument: async (id, document) => await runningCluster(id).issuerDocument(document),
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

/**
 * Stops what a killed daemon left of all clusters below `stateDir`, without starting anything.
 * @returns names of the stopped processes
 */
export async function stopLeftoverClusters(stateDir: string): Promise<string[]> {
  const ids = await readdir(stateDir).catch(() => []);
  const stopped = await Promise.all(
    ids.map((id) => stopLeftovers(clusterPaths(path.join(stateDir, id)).pids)),
  );
  return stopped.flat();
}
