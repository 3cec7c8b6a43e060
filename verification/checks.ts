import type {
  GroupOutput,
  HostedClusterOutput,
  StackOutputs,
  TrustingIdentityOutput,
  WorkloadOutput as DeployedWorkload,
} from '../stacks/outputs/outputs';

import { grantedName, isRole, type GrantedRole } from '../stacks/offline';

/** An application on one cluster, with the identity that it runs as, or with another generation of that. */
export interface WorkloadOutput extends DeployedWorkload {
  /** The application does not run as the identity, and could. */
  beside?: boolean;
}

/** The outputs of a stack that the verification reads. */
export type VerifiedOutputs = Pick<
  StackOutputs,
  | 'environment'
  | 'tenantId'
  | 'subscriptionId'
  | 'resourceGroup'
  | 'resourceGroups'
  | 'vaults'
  | 'kubeconfigs'
  | 'identities'
  | 'groups'
  | 'dependencies'
  | 'hostedClusters'
  | 'clusters'
  | 'reconcilers'
  | 'connectionWriters'
  | 'tokenEvents'
> & {
  workloads: WorkloadOutput[];
};

/** The identity of what opens and closes access windows, and where that runs. */
export type ReconcilerOutput = NonNullable<StackOutputs['reconcilers']>[number];

export type { GroupOutput, HostedClusterOutput, TrustingIdentityOutput as TrustingIdentity };

/** The outputs with a workload for each generation of its identity: all of them are to have the same access. */
export function withIdentitiesBeside<T extends Pick<VerifiedOutputs, 'workloads'>>(outputs: T): T {
  const workloads = outputs.workloads.flatMap((one) => [
    one,
    ...one.identitiesBeside.map((identity) => ({ ...one, identity, identitiesBeside: [], beside: true })),
  ]);
  return { ...outputs, workloads };
}

/** A service account of a cluster whose token is asked for. */
export interface ServiceAccountRef {
  cluster: string;
  namespace: string;
  serviceAccount: string;
}

/** The service accounts of a workload. */
export function accountsOf({ cluster, namespace, serviceAccounts }: WorkloadOutput): ServiceAccountRef[] {
  return serviceAccounts.map((serviceAccount) => ({ cluster, namespace, serviceAccount }));
}

export function accountName({ namespace, serviceAccount }: ServiceAccountRef): string {
  return `${namespace}/${serviceAccount}`;
}

/** A secret of a vault, both by name. */
export interface SecretRef {
  vault: string;
  secret: string;
}

/** A secret that a workload may read at times, or a role that it has at times. */
export type WindowCheck = { kind: 'window' } & DeployedWorkload['windows'][number];

/**
 * What is checked of the deployed system for one workload.
 *
 * - `exchange`: the workload's token is accepted for its identity; with `account`, that of a further service account of
 *   the application.
 * - `credential`: the identity accepts what the workload's Kubernetes secret has.
 * - `annotations`: a service account of the application has the ids of its identity.
 * - `pods`: the application's pods are there and ready.
 * - `read`: a granted secret is readable.
 * - `role`: a granted role is assigned.
 * - `window`: a secret that it may read at times is readable then, and only then; a role is assigned then, and only then.
 * - `refused`: a secret that its identity was not granted answers 403.
 * - `overreach`: a secret that the workload does not name, but that its identity may read.
 * - `foreignCluster`: another cluster's token is refused.
 * - `notFederated`: a service account without a federated credential is refused.
 * - `assigned`: aad-pod-identity has assigned the identity for each of the application's pods.
 * - `unassigned`: aad-pod-identity has assigned nothing for the pods of an application that is revoked.
 * - `revoked`: a service account of an application that is revoked is refused.
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
  | { kind: 'revoked'; account: ServiceAccountRef };

/** The check's name in reports: stable, without values. */
export function checkName(check: AccessCheck): string {
  switch (check.kind) {
    case 'exchange':
      return check.account === undefined
        ? 'token exchange'
        : `token exchange of service account ${accountName(check.account)}`;
    case 'credential':
      return 'signs in by its Kubernetes secret';
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
    case 'revoked':
      return `is revoked: refuses service account ${accountName(check.account)}`;
  }
}
