import type { ApiClient } from '../api/client';
import type { ClusterPaths } from '../controlplane/paths';
import type { ImageTable } from '../images';
import type { Logger } from '../logger';
import type { CsiDrivers } from './csi/volumes';
import type { PodAddresses } from './podAddresses';
import type { Sources } from './sources';

/** What the agent's parts know of their cluster. */
export interface AgentContext {
  /** Name of the cluster in the kubeconfigs of its pods. */
  clusterName: string;
  /** The API server's URL, and its authority's certificate (PEM). */
  server: string;
  caCertificate: string;
  nodeIp: string;
  paths: ClusterPaths;
  client: ApiClient;
  images: ImageTable;
  /** Variables for every process (proxy, authorities). */
  podEnvironment: () => Record<string, string>;
  /** Share of a token's life after which it is renewed. */
  renewTokensAt: number;
  /** The CSI drivers that run in the cluster. */
  csiDrivers: CsiDrivers;
  addresses: PodAddresses;
  sources: Sources;
  logger: Logger;
}
