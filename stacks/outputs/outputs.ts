import type * as pulumi from '@pulumi/pulumi';
import type { VaultAccess } from '../../components/vault/access';

/** An identity, by its three ids. */
export interface IdentityOutput {
  /** Resource id. */
  id: string;
  /** Application (client) id: what service accounts are annotated with. */
  clientId: string;
  /** Object id: what access is granted to. */
  principalId: string;
}

/** A vault of the environment, made or existing. */
export interface VaultOutput {
  /** Resource id. */
  id: string;
  /** `https://<name>.vault.azure.net/`. */
  uri: string;
  access: VaultAccess;
  /** Every secret that an application reads from it. */
  secrets: string[];
}

/** A cluster of the environment. */
export interface ClusterOutput {
  /** Made by the stack, there before, or no managed cluster at all. */
  mode: 'create' | 'existing' | 'external';
  /** Resource id; an external cluster has none. */
  id?: string;
  /** Issuer of its service accounts' tokens, with its trailing slash. */
  issuer: string;
  /** The cluster's own identity. */
  identity: IdentityOutput;
}

/** A service account, or another subject, that an identity trusts. */
export interface TrustOutput {
  /** Issuer of its tokens. */
  issuer: string;
  subject: string;
  /** Audience that the tokens must have. */
  audience: string;
}

/** An identity that the stack made, and everything that it is to trust. */
export interface TrustingIdentityOutput {
  /** The cluster whose service accounts it trusts. */
  cluster: string;
  /** Name in Azure. */
  name: string;
  /** Resource id. */
  id: string;
  trusts: TrustOutput[];
}

/** An application on one cluster. */
export interface WorkloadOutput {
  cluster: string;
  application: string;
  /** Version that the release file pins for this environment; undefined of an application without one. */
  version?: string;
  /** Digest of what that version runs and may read: if the release has another, it was edited since. */
  digest?: string;
  namespace: string;
  /** The service account that its pods run under. */
  serviceAccount: string;
  /** All its service accounts, that one first; each is trusted with the same audience. */
  serviceAccounts: string[];
  /** The identity that it runs as; `name` is that in Azure. */
  identity: IdentityOutput & { name: string };
  /** Issuer of the tokens that the identity trusts: the cluster's. */
  issuer: string;
  /** Subject of the tokens of `serviceAccount`. */
  subject: string;
  /** Audience that the tokens must have. */
  audience: string;
  /** The secrets that the application reads. Its identity may have been granted more, by other applications. */
  grants: { vault: string; secret: string }[];
}

/** A service of Azure that an application depends on. */
export interface DependencyOutput {
  application: string;
  /** What the application calls it. */
  name: string;
  /** storageAccount, postgresql, redis, serviceBus, identity, vault or resource. */
  kind: string;
  /** Name in Azure. */
  azureName: string;
  resourceId: string;
  /** Name of the cluster whose operator provisions it. */
  managedBy: string;
  /** How the application signs in to it. */
  connection: 'identity' | 'secret' | 'vault';
}

/** The outputs of a stack: for the verification, for the command, and for other stacks by reference. */
export interface StackOutputs {
  /** Name of the stack. */
  environment: string;
  tenantId: string;
  /** Subscription of the resource group. */
  subscriptionId: string;
  resourceGroup: string;
  /** By name of the vault. */
  vaults: Record<string, VaultOutput>;
  /** By name of the cluster. */
  clusters: Record<string, ClusterOutput>;
  /** By name of the cluster: kubeconfigs of an administrator. A secret. */
  kubeconfigs: Record<string, string>;
  workloads: WorkloadOutput[];
  /** Every identity that the stack made, also one that no application runs as; existing identities are not among them. */
  identities: TrustingIdentityOutput[];
  /** The applications' dependencies, each once. */
  dependencies: DependencyOutput[];
}

/** The outputs while they are being made; each on its own, so that only the kubeconfigs become a secret. */
export type PendingOutputs = { [Key in keyof StackOutputs]: pulumi.Output<StackOutputs[Key]> };
