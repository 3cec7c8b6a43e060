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
  /** Whether the workload identity webhook runs in the cluster. */
  workloadIdentity: boolean;
  /**
   * Whether the Secrets Store CSI driver with the Key Vault provider runs in the cluster (add-on
   * `azureKeyvaultSecretsProvider`). @default false
   */
  secretsStore?: boolean;
  /**
   * Interval after which mounted secrets are read again, as Go writes durations, e.g. `2m` (the add-on's
   * `enableSecretRotation` and `rotationPollInterval`). @default they are not
   */
  secretsRotation?: string;
  tenantId: string;
  /** What a node knows of Azure. @default its files and its object say nothing of it */
  nodes?: {
    /** Resource id of the nodes' scale set. */
    scaleSetId: string;
    /** The kubelet's identity. */
    kubeletClientId: string;
  };
}

/** The scale set of a cluster's nodes, in its node resource group. */
export const NODE_SCALE_SET = 'aks-nodepool1-local-vmss';

/** The runtime closed before a start had finished. The start continues when the local cloud starts again. */
export class RuntimeClosed extends Error {
  constructor() {
    super('the cluster runtime is closed');
  }
}

/** Runs the control planes of managed clusters for the resource manager. */
export interface ClusterRuntime {
  /**
   * Starts the control plane, or resumes it after a restart. Resolves when `/readyz` answers and the enabled
   * features (workload identity webhook, Secrets Store) work. It is called again after every write of the
   * cluster and is idempotent. Rejects with `RuntimeClosed` if the runtime closes first.
   */
  ensure(spec: ClusterSpec): Promise<void>;
  /** Stops the control plane; its state stays, and `ensure` resumes it. Also resolves if it does not run. */
  stop(id: string): Promise<void>;
  /**
   * Stops the control plane and deletes its certificates, except those by which service account tokens are signed: `ensure`
   * makes new ones, with a new authority.
   */
  rotateCertificates(id: string): Promise<void>;
  /** Stops the control plane and deletes its state. Also resolves if there is none. */
  remove(id: string): Promise<void>;
  /** Kubeconfig in YAML, with a context named after the cluster. A stopped cluster has the one of its last start. */
  kubeconfig(id: string, role: 'admin' | 'user'): Promise<string>;
  /** The API server's own document, which the local cloud serves at the issuer's URL. */
  issuerDocument(id: string, document: 'discovery' | 'keys'): Promise<unknown>;
  /**
   * Port on 127.0.0.1 of aad-pod-identity's node component (NMI), which gets the pods' requests to the metadata service.
   * @default it runs in no cluster
   */
  nodeManagedIdentity?(id: string): number | undefined;
  /**
   * Names (`namespace/name`) of the pods that were ready when the cluster stopped and, since its start, are not yet.
   * @default all are
   */
  unreadyPods?(id: string): string[];
}
