/** A managed cluster as the resource manager knows it. */
export interface ClusterSpec {
  /** GUID, stable over the cluster's whole life; the last segment of its issuer's path. */
  id: string;
  /** The managed cluster's name; the kubeconfig's context carries it. */
  name: string;
  /** Azure resource id. */
  resourceId: string;
  /** Issuer of service account tokens, with the trailing slash. */
  issuer: string;
  /** As asked for in the managed cluster, e.g. `1.36` or `1.36.3`. */
  kubernetesVersion: string;
  /** Whether the workload identity webhook runs in the cluster. */
  workloadIdentity: boolean;
  /**
   * Whether the secrets store driver with Azure's Key Vault provider runs in the cluster (add-on
   * `azureKeyvaultSecretsProvider`). @default false
   */
  secretsStore?: boolean;
  tenantId: string;
}

/** A start that was given up because the runtime closes: it is neither done nor failed, and goes on at the next start. */
export class RuntimeClosed extends Error {
  constructor() {
    super('the cluster runtime is closed');
  }
}

/** What the resource manager needs from whatever runs managed clusters. */
export interface ClusterRuntime {
  /**
   * Starts (or, after a restart, resumes) the control plane; resolves when `/readyz` answers and, with
   * workload identity, the webhook answers. Called again after every write of the cluster: what is switched
   * on by one (workload identity, the secrets store) is there when it resolves. Idempotent. Rejects with `RuntimeClosed` when it is closed before.
   */
  ensure(spec: ClusterSpec): Promise<void>;
  /** Stops the control plane and removes its state. Resolves too when there is none. */
  remove(id: string): Promise<void>;
  /** Kubeconfig YAML, its context named after the cluster. */
  kubeconfig(id: string, role: 'admin' | 'user'): Promise<string>;
  /** The API server's own documents, served by the local cloud at the issuer's URL. */
  issuerDocument(id: string, document: 'discovery' | 'keys'): Promise<unknown>;
}
