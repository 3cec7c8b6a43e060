import type {
  GroupOutput,
  IdentityBindingOutput,
  StackOutputs,
  TrustingIdentityOutput,
  WorkloadOutput as DeployedWorkload,
} from '../stacks/outputs/outputs';

import { grantedName, isRole, type GrantedRole } from '../stacks/plan/granted';

/** An application on one cluster, with the identity in use or with another generation of it. */
export interface WorkloadOutput extends DeployedWorkload {
  /** Another generation of the identity, which the application could use but does not. */
  beside?: boolean;
}

/** The outputs of a stack that the verification reads. */
export interface VerifiedOutputs extends Omit<StackOutputs, 'workloads'> {
  workloads: WorkloadOutput[];
  /** True if cells of the environment are missing, so that their access to shared resources is unknown. */
  isIncomplete?: boolean;
}

/** The identity of the access window reconciler, and its cluster. */
export type ReconcilerOutput = NonNullable<StackOutputs['reconcilers']>[number];

export type { GroupOutput, TrustingIdentityOutput as TrustingIdentity, IdentityBindingOutput };

/** Returns the outputs with one workload per generation of its identity: all of them should have the same access. */
export function withIdentitiesBeside<T extends Pick<VerifiedOutputs, 'workloads'>>(outputs: T): T {
  const workloads = outputs.workloads.flatMap((workload) => [
    workload,
    ...workload.identitiesBeside.map((identity) => ({
      ...workload,
      identity,
      identitiesBeside: [],
      beside: true,
    })),
  ]);
  return { ...outputs, workloads };
}

/** A service account of a cluster. */
export interface ServiceAccountRef {
  cluster: string;
  namespace: string;
  serviceAccount: string;
}

/** Returns the service accounts of a workload. */
export function accountsOf({ cluster, namespace, serviceAccounts }: WorkloadOutput): ServiceAccountRef[] {
  return serviceAccounts.map((serviceAccount) => ({ cluster, namespace, serviceAccount }));
}

export function accountName({ namespace, serviceAccount }: ServiceAccountRef): string {
  return `${namespace}/${serviceAccount}`;
}

/** Names of a secret and of its vault. */
export interface SecretRef {
  vault: string;
  secret: string;
}

/** A secret or role that a workload has only in access windows. */
export type WindowCheck = { kind: 'window' } & DeployedWorkload['windows'][number];

/**
 * A check of one workload in the deployed system.
 *
 * - `exchange`: the workload's token is accepted for its identity; with `account`, that of a further service account of
 *   the application.
 * - `credential`: the credential in the workload's Kubernetes secret is accepted for its identity.
 * - `annotations`: a service account of the application has the ids of its identity.
 * - `pods`: the application's pods exist and are ready.
 * - `read`: a granted secret is readable.
 * - `role`: a granted role is assigned.
 * - `window`: a secret is readable, or a role assigned, only in its access windows.
 * - `refused`: the vault answers 403 for a secret that is not granted to the identity.
 * - `overreach`: a secret that the workload does not name, but that its identity may read.
 * - `foreignCluster`: another cluster's token is refused.
 * - `notFederated`: a service account without a federated credential is refused.
 * - `assigned`: aad-pod-identity has assigned the identity for each of the application's pods.
 * - `unassigned`: aad-pod-identity has assigned nothing for the pods of a revoked application.
 * - `mayUse`: an AKS identity binding lets a service account of the application use the identity.
 * - `mayNotUse`: no role in the cluster lets a service account of a revoked application use the identity.
 * - `revoked`: a service account of a revoked application is refused.
 */
export type AccessCheck =
  | { kind: 'exchange'; account?: ServiceAccountRef }
  | { kind: 'credential' }
  | { kind: 'annotations'; account: ServiceAccountRef }
  | { kind: 'pods' }
  | { kind: 'assigned' }
  | { kind: 'unassigned' }
  | ({ kind: 'read' } & SecretRef)
  | ({ kind: 'role'; group?: string } & GrantedRole)
  | WindowCheck
  | ({ kind: 'refused' } & SecretRef)
  | ({ kind: 'overreach'; because: string } & SecretRef)
  | { kind: 'foreignCluster'; account: ServiceAccountRef }
  | { kind: 'notFederated'; account: ServiceAccountRef }
  | { kind: 'mayUse' | 'mayNotUse'; account: ServiceAccountRef }
  | { kind: 'revoked'; account: ServiceAccountRef };

/** Returns the check's name in reports. It is stable and contains no values of secrets. */
export function checkName(check: AccessCheck): string {
  switch (check.kind) {
    case 'exchange':
      return check.account === undefined
        ? 'token exchange'
        : `token exchange of service account ${accountName(check.account)}`;
    case 'credential':
      return 'signs in with its Kubernetes secret';
    case 'annotations':
      return `annotations of service account ${accountName(check.account)}`;
    case 'pods':
      return 'pods';
    case 'assigned':
      return 'identity assigned by aad-pod-identity';
    case 'unassigned':
      return 'is revoked: no identity assigned by aad-pod-identity';
    case 'read':
      return `reads ${check.vault}/${check.secret}`;
    case 'window':
      return `${isRole(check) ? 'has' : 'reads'} ${grantedName(check)} in its access windows only`;
    case 'role':
      return `has ${grantedName(check)}`;
    case 'refused':
      return `is refused ${check.vault}/${check.secret}`;
    case 'overreach':
      return `overreach ${check.vault}/${check.secret}`;
    case 'foreignCluster':
      return `refuses a token of cluster ${check.account.cluster}`;
    case 'notFederated':
      return `refuses service account ${accountName(check.account)}`;
    case 'mayUse':
      return `identity binding for service account ${accountName(check.account)}`;
    case 'mayNotUse':
      return `is revoked: no identity binding for service account ${accountName(check.account)}`;
    case 'revoked':
      return `is revoked: refuses service account ${accountName(check.account)}`;
  }
}
