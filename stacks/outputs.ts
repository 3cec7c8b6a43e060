import type * as pulumi from '@pulumi/pulumi';
import type { VaultAccess } from '../components/keyVaultAccess';

/** An identity, by its three ids. */
export interface IdentityOutput {
  /** Resource id. */
  id: string;
  /** Application (client) id: what service accounts are annotated with. */
  clientId: string;
  /** Object id: what access is granted to. */
  principalId: string;
}

/** A vault of the environment. */
export interface VaultOutput {
  /** Resource id. */
  id: string;
  /** `https://<name>.vault.azure.net/`. */
  uri: string;
  access: VaultAccess;
  /** Every secret that the stack knows in it, granted or not. */
  secrets: string[];
}

/** A cluster of the environment. */
export interface ClusterOutput {
  /** Resource id. */
  id: string;
  /** Issuer of its service accounts' tokens, with its trailing slash. */
  issuer: string;
  /** The cluster's own identity. */
  identity: IdentityOutput;
}

/** An application on one cluster. */
export interface WorkloadOutput {
  cluster: string;
  application: string;
  namespace: string;
  serviceAccount: string;
  /** The identity that it runs as; `name` is that in Azure. */
  identity: IdentityOutput & { name: string };
  /** Issuer, subject and audience that the identity trusts. */
  issuer: string;
  subject: string;
  audience: string;
  /** The secrets that the application names. Its identity may have been granted more, by other applications. */
  grants: { vault: string; secret: string }[];
}

/** What a stack tells: to the verification, to the command, and to other stacks by reference. */
export interface StackOutputs {
  /** Name of the stack. */
  environment: string;
  tenantId: string;
  subscriptionId: string;
  resourceGroup: string;
  /** By name of the vault. */
  vaults: Record<string, VaultOutput>;
  /** By name of the cluster. */
  clusters: Record<string, ClusterOutput>;
  /** By name of the cluster: kubeconfigs of an administrator. A secret. */
  kubeconfigs: Record<string, string>;
  workloads: WorkloadOutput[];
}

/** The outputs while they are being made; each on its own, so that only the kubeconfigs become a secret. */
export type PendingOutputs = { [Key in keyof StackOutputs]: pulumi.Output<StackOutputs[Key]> };
