import type { V1Pod } from '@kubernetes/client-node';
import type { ReachQuestion } from '../stacks/offline';
import type { VaultOutput } from '../stacks/outputs/outputs';
import type { ServiceAccountRef, WorkloadOutput } from './checks';

/** By this the vaults' audit log tells the verification from the applications as which it reads. */
export const userAgentPrefix = 'aks-wi-verify';

/** An identity that Entra accepted; nothing that is read through it is kept. */
export interface Session {
  /** Resolves when the secret was read; rejects with the vault client's own error. */
  readSecret(vaultUri: string, name: string): Promise<void>;
}

/** A federated credential as Azure has it. */
export interface FederatedCredential {
  name: string;
  issuer: string;
  /** Undefined of a flexible credential, which matches claims by an expression. */
  subject: string | undefined;
  audiences: readonly string[];
}

/** A role that somebody has. */
export interface RoleAssignment {
  /** Resource id. */
  id: string;
  /** A GUID. */
  name: string;
  /** Resource id on which the role is assigned. */
  scope: string;
  /** GUID of the role's definition. */
  role: string;
  /** Object id of who has it. */
  principalId: string;
  description?: string | undefined;
  /** What restricts it; undefined if nothing does. */
  condition?: string | undefined;
}

/** An access policy of a vault. */
export interface AccessPolicy {
  /** Object id of who has it. */
  objectId: string;
  /** Each permission with its area, in lower case: `secrets get`. */
  permissions: string[];
}

/** By what an Entra application can sign in. */
export interface SignIns {
  /** Key ids of its certificates. */
  certificates: string[];
  /** Key ids of its passwords. */
  passwords: string[];
  /** Names of its federated credentials. */
  federated: string[];
}

/** A kind of custom objects. */
export interface CustomObjectKind {
  group: string;
  version: string;
  plural: string;
}

/** What a workload can do, and what it is in its cluster. */
export interface WorkloadAccess {
  /** A token that the cluster's API server issues for the account (TokenRequest). */
  serviceAccountToken(account: ServiceAccountRef, audience: string): Promise<string>;
  /** The annotations of a service account. */
  annotations(account: ServiceAccountRef): Promise<Readonly<Record<string, string>>>;
  /** The pods that run under a service account. */
  pods(account: ServiceAccountRef): Promise<V1Pod[]>;
  /** The pods of what a Helm release of that name has in the namespace, under whatever account they run. */
  podsOfRelease(cluster: string, namespace: string, release: string): Promise<V1Pod[]>;
  /** The last line that a container of a pod wrote before it ended; empty if there is none. */
  lastLine(cluster: string, namespace: string, pod: string): Promise<string>;
  /** A custom object of a cluster. */
  customObject(
    cluster: string,
    kind: CustomObjectKind,
    namespace: string,
    name: string,
  ): Promise<Record<string, unknown>>;
  /** Exchanges the token for one of the identity; rejects with the identity client's own error. */
  signIn(identity: WorkloadOutput['identity'], assertion: () => Promise<string>): Promise<Session>;
  /** Signs in with what the Kubernetes secret of a workload has; rejects with the error of the client that refuses. */
  signInByCredential(
    workload: Pick<WorkloadOutput, 'cluster' | 'namespace' | 'identity'>,
    secretName: string,
  ): Promise<Session>;
}

/** Listed with the account that runs the verification; each rejects with the client's own error where that is not allowed. */
export interface AzureLists {
  /** Names of the secrets in the vault. */
  listSecrets(vault: VaultOutput): Promise<string[]>;
  /** The federated credentials of the identity with the resource id, or of the application `/applications/<object id>`. */
  listCredentials(identity: string): Promise<FederatedCredential[]>;
  /** The role assignments on the scope, above it and below it. */
  listAssignments(scope: string): Promise<RoleAssignment[]>;
  /** Every action and data action that the role with the resource id allows; undefined if there is none. */
  listActions(role: string): Promise<string[] | undefined>;
  /** Object ids of the identities in a resource group, by resource id in lower case. */
  listPrincipals(group: string): Promise<ReadonlyMap<string, string>>;
  /** By what the application with the client id can sign in; undefined if there is none. */
  listSignIns(clientId: string): Promise<SignIns | undefined>;
  /** Object ids of the members of the group with the object id. */
  listMembers(group: string): Promise<string[]>;
  /** What the vault with the resource id is tagged with, and its access policies. */
  readVault(vault: string): Promise<{ tags: Record<string, string>; policies: AccessPolicy[] }>;
}

/** The services that are asked, behind one interface so that the runner can be tested without them. */
export type Access = WorkloadAccess &
  AzureLists & {
    /** Why an identity can read a secret by what the stack assigned. Default: it reads only what is named. */
    reasonToReach?: ReasonToReach;
  };

/** Undefined: it cannot. */
export type ReasonToReach = (asked: ReachQuestion) => string | undefined;
