import type { ApiClient } from '../api/client';
import type { ClusterPaths } from '../controlplane/paths';
import type { ImageTable } from '../imageTable';
import type { Logger } from '../../logger';
import type { CsiDrivers } from './csi/volumes';
import type { PodAddresses } from './podAddresses';
import type { Sources } from './sources';

/** The cluster's data and services that the agent's parts need. */
export interface AgentContext {
  /** Name of the cluster in the pods' kubeconfigs. */
  clusterName: string;
  /** The API server's URL, and the certificate of its authority (PEM). */
  server: string;
  caCertificate: string;
  nodeIp: string;
  paths: ClusterPaths;
  client: ApiClient;
  images: ImageTable;
  /** Returns the proxy and certificate authority variables for the node's processes, or for those of a pod. */
  podEnvironment: (podAddress?: string) => Record<string, string>;
  /** Fraction of a token's lifetime after which it is renewed. */
  renewTokensAt: number;
  /** The CSI drivers that run in the cluster. */
  csiDrivers: CsiDrivers;
  addresses: PodAddresses;
  sources: Sources;
  logger: Logger;
}
