import type { V1ClusterRole, V1ClusterRoleBinding, V1Pod } from '@kubernetes/client-node';
import type { ReachQuestion } from '../stacks/access/question';
import type { VaultOutput } from '../stacks/outputs/outputs';
import type { ServiceAccountRef, WorkloadOutput } from './checks';

/** Marks the verification's requests in the vaults' audit log, because it signs in as the applications. */
export const userAgentPrefix = 'aks-wi-verify';

/** A signed-in identity. No value that it reads is kept. */
export interface Session {
  /** Resolves once the secret is read; rejects with the vault client's error. */
  readSecret(vaultUri: string, name: string): Promise<void>;
}

/** A federated credential in Azure. */
export interface FederatedCredential {
  name: string;
  issuer: string;
  /** Undefined for a flexible credential, which matches claims by an expression. */
  subject: string | undefined;
  audiences: readonly string[];
}

/** A role assignment in Azure. */
export interface RoleAssignment {
  /** Resource id. */
  id: string;
  /** A GUID. */
  name: string;
  /** Resource id on which the role is assigned. */
  scope: string;
  /** GUID of the role's definition. */
  role: string;
  /** Object id of the assignee. */
  principalId: string;
  description?: string | undefined;
  /** Condition that restricts the role, if any. */
  condition?: string | undefined;
}

/** An access policy of a vault. */
export interface AccessPolicy {
  /** Object id of the holder. */
  objectId: string;
  /** Each permission with its area, in lower case: `secrets get`. */
  permissions: string[];
}

/** The credentials of an Entra application. */
export interface SignIns {
  /** Key ids of its certificates. */
  certificates: string[];
  /** Key ids of its passwords. */
  passwords: string[];
  /** Names of its federated credentials. */
  federated: string[];
}

/** A kind of custom resources. */
export interface CustomObjectKind {
  group: string;
  version: string;
  plural: string;
}

/** A container of a pod. */
interface ContainerRef {
  cluster: string;
  namespace: string;
  pod: string;
  container: string;
}

/** The roles of a cluster that are valid in all its namespaces. */
export interface ClusterRoles {
  roles: readonly V1ClusterRole[];
  bindings: readonly V1ClusterRoleBinding[];
}

/** An AKS identity binding in Azure. */
export interface FoundBinding {
  /** Resource id of the identity. */
  identity: string;
  /** Provisioning state, `Succeeded` if it works. */
  state: string;
}

/** Access to a workload's objects in its cluster, and to Azure as the workload. */
export interface WorkloadAccess {
  /** Requests a token for the account from the cluster's API server (TokenRequest). */
  serviceAccountToken(account: ServiceAccountRef, audience: string): Promise<string>;
  /** Reads the annotations of a service account. */
  annotations(account: ServiceAccountRef): Promise<Readonly<Record<string, string>>>;
  /** Lists the pods that run under a service account. */
  pods(account: ServiceAccountRef): Promise<V1Pod[]>;
  /** Lists the pods of a Helm release in the namespace, under any service account. */
  podsOfRelease(cluster: string, namespace: string, release: string): Promise<V1Pod[]>;
  /** Reads the last log lines of the previous run of a pod's container. */
  lastLines(container: ContainerRef): Promise<string>;
  /** Reads a custom resource of a cluster. */
  customObject(
    cluster: string,
    kind: CustomObjectKind,
    namespace: string,
    name: string,
  ): Promise<Record<string, unknown>>;
  /** Reads the ClusterRoles and the ClusterRoleBindings of a cluster. */
  clusterRoles(cluster: string): Promise<ClusterRoles>;
  /** Exchanges the token for one of the identity; rejects with the identity client's error. */
  signIn(identity: WorkloadOutput['identity'], assertion: () => Promise<string>): Promise<Session>;
  /** Signs in with the credential in a workload's Kubernetes secret; rejects with the client's error. */
  signInByCredential(
    workload: Pick<WorkloadOutput, 'cluster' | 'namespace' | 'identity'>,
    secretName: string,
  ): Promise<Session>;
}

/**
 * Lists that are read with the account that runs the verification. Each rejects with the client's error if that is not
 * allowed.
 */
export interface AzureLists {
  /** Names of the secrets in the vault. */
  listSecrets(vault: VaultOutput): Promise<string[]>;
  /** Federated credentials of the identity with the resource id, or of the application `/applications/<object id>`. */
  listCredentials(identity: string): Promise<FederatedCredential[]>;
  /** Role assignments on the scope, and on scopes above and below it. */
  listAssignments(scope: string): Promise<RoleAssignment[]>;
  /** Actions and data actions of the role with the resource id; undefined if the role does not exist. */
  listActions(role: string): Promise<string[] | undefined>;
  /** Object ids of the identities in a resource group, by resource id in lower case. */
  listPrincipals(group: string): Promise<ReadonlyMap<string, string>>;
  /** Credentials of the application with the client id; undefined if the application does not exist. */
  listSignIns(clientId: string): Promise<SignIns | undefined>;
  /** Object ids of the members of the group with the object id. */
  listMembers(group: string): Promise<string[]>;
  /** The AKS identity binding with the resource id; undefined if it does not exist. */
  readBinding(binding: string): Promise<FoundBinding | undefined>;
  /** Tags and access policies of the vault with the resource id. */
  readVault(vault: string): Promise<{ tags: Record<string, string>; policies: AccessPolicy[] }>;
}

/** The services behind one interface: tests replace it. */
export type Access = WorkloadAccess &
  AzureLists & {
    /** Default: an identity can read only the secrets that its workload names. */
    reasonToReach?: ReasonToReach;
  };

/** Returns why the stack's assignments let an identity read a secret, or undefined if they do not. */
export type ReasonToReach = (question: ReachQuestion) => string | undefined;
