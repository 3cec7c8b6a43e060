/** A managed cluster as the resource manager knows it. */
export interface ClusterSpec {
  /** A GUID that never changes; the last segment of the issuer's path. */
  id: string;
  /** The managed cluster's name; also the kubeconfig's context. */
  name: string;
  /** Azure resource id. */
  resourceId: string;
  /** Issuer of service account tokens, with the trailing slash. */
  issuer: string;
  /** Version of the managed cluster, e.g. `1.36` or `1.36.3`. */
  kubernetesVersion: string;
  /** True if the workload identity webhook runs in the cluster. */
  workloadIdentity: boolean;
  /**
   * True if the Secrets Store CSI driver with the Key Vault provider runs in the cluster (add-on
   * `azureKeyvaultSecretsProvider`). @default false
   */
  secretsStore?: boolean;
  /**
   * Interval at which mounted secrets are read again, as a Go duration, e.g. `2m` (the add-on's `enableSecretRotation` and
   * `rotationPollInterval`). @default they are not read again
   */
  secretsRotation?: string;
  tenantId: string;
  /** Azure identifiers on the nodes. @default neither the nodes' files nor their Node objects have any */
  nodes?: {
    /** Resource id of the nodes' scale set. */
    scaleSetId: string;
    /** The kubelet's identity. */
    kubeletClientId: string;
  };
}

/** Answer of an API server about the token of a service account: whose it is, or why it is refused. */
export type IdentityUse =
  | { account: string; /** True if the account has the permission. */ allowed: boolean }
  | { account?: undefined; problem: string };

/** The scale set of a cluster's nodes, in its node resource group. */
export const NODE_SCALE_SET = 'aks-nodepool1-local-vmss';

/** The error if the runtime closes before a start has finished. The start continues when the local cloud starts again. */
export class RuntimeClosed extends Error {
  constructor() {
    super('the cluster runtime is closed');
  }
}

/** Runs the control planes of managed clusters for the resource manager. */
export interface ClusterRuntime {
  /**
   * Starts the control plane, or resumes it after a restart. It is idempotent and is called again after every write of the
   * cluster. Resolves when `/readyz` answers and the enabled features (workload identity webhook, Secrets Store) work. Rejects
   * with `RuntimeClosed` if the runtime closes first.
   */
  ensure(spec: ClusterSpec): Promise<void>;
  /** Stops the control plane; its state stays, and `ensure` resumes it. Also resolves if it is not running. */
  stop(id: string): Promise<void>;
  /**
   * Stops the control plane and deletes its certificates, but not the key pair that signs service account tokens. `ensure`
   * creates new certificates, with a new authority.
   */
  rotateCertificates(id: string): Promise<void>;
  /** Stops the control plane and deletes its state. Also resolves if there is none. */
  remove(id: string): Promise<void>;
  /**
   * Returns the kubeconfig as YAML, with a context named after the cluster. That of a stopped cluster is valid after the next
   * start, unless its port is taken then.
   */
  kubeconfig(cluster: Pick<ClusterSpec, 'id' | 'name'>, role: 'admin' | 'user'): Promise<string>;
  /** Returns the API server's own document, which the local cloud serves at the issuer's URL. */
  issuerDocument(id: string, document: 'discovery' | 'keys'): Promise<unknown>;
  /**
   * Port on 127.0.0.1 of aad-pod-identity's node component (NMI), which receives the pods' requests to the metadata service.
   * @default it runs in no cluster
   */
  nodeManagedIdentity?(id: string): number | undefined;
  /**
   * Reviews a token for an audience, and then the permission of its account, at the API server.
   * @default clusters have no token proxy
   */
  reviewIdentityUse?(
    id: string,
    request: {
      token: string;
      audience: string;
      permission: { verb: string; group: string; resource: string };
    },
  ): Promise<IdentityUse>;
  /**
   * Names (`namespace/name`) of the pods that were ready when the cluster stopped and have not become ready since it started
   * again.
   * @default all are ready
   */
  unreadyPods?(id: string): string[];
}
