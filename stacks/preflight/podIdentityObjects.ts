import { tokenEventsAccount } from '../../components/identity/subjects';
import { passwordSecretName, podIdentityApi } from '../../components/podIdentity/names';
import type { ObjectReference } from '../../components/waiting/cluster';
import type { ClusterPlan, WorkloadPlan } from '../plan';
import { storedCredentialOf, usesPodIdentity } from '../plan';
import type { CreatedObject } from './createdObject';

/** Returns the namespace of the writer of token events, if it runs on the cluster. */
export function tokenEventsNamespace({ tokenEvents }: ClusterPlan, index: number): CreatedObject[] {
  if (tokenEvents === undefined) return [];
  return [
    {
      reference: { apiVersion: 'v1', kind: 'Namespace', name: tokenEventsAccount.namespace },
      path: ['clusters', index, 'podIdentity'],
      hint: 'Set `podIdentity: { install: false, tokenEvents: false }`: only one stack on a cluster can write the events of its tokens.',
    },
  ];
}

/** Returns the objects that a PodIdentityBinding creates in the namespace of an application, if it has one. */
export function boundObjects(workload: WorkloadPlan): Omit<ObjectReference, 'namespace'>[] {
  if (!usesPodIdentity(workload)) return [];
  const { name, identity } = workload.application;
  const secret = passwordSecretName(name);
  const rights = 'rbac.authorization.k8s.io/v1';
  return [
    { apiVersion: podIdentityApi, kind: 'AzureIdentity', name },
    { apiVersion: podIdentityApi, kind: 'AzureIdentityBinding', name },
    ...(storedCredentialOf(identity) === undefined
      ? []
      : [
          { apiVersion: 'v1', kind: 'Secret', name: secret },
          { apiVersion: rights, kind: 'Role', name: secret },
          { apiVersion: rights, kind: 'RoleBinding', name: secret },
        ]),
  ];
}
