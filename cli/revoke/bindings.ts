import { apiVersions } from '../../components/azure/resourceManager';
import type { IdentityBindingOutput, VerifiedOutputs } from '../../verification/checks';
import type { Access } from './assignments';
import type { Failure } from './failure';
import type { Target } from './targets';

/** Returns the workloads that use their identity through the identity binding on a cluster. */
function boundOn(workloads: Target['revoked'], cluster: string): Target['revoked'] {
  return workloads.filter((workload) => workload.cluster === cluster && workload.trust === 'identityBinding');
}

/** Tells whether revoked applications use an identity binding that others also use: the binding stays. */
export function sharesBinding({ revoked, others }: Target): boolean {
  return revoked.some(
    ({ cluster }) => boundOn(revoked, cluster).length > 0 && boundOn(others, cluster).length > 0,
  );
}

/** Returns the identity bindings that revoked applications use. */
function bindingsOf(
  { identityBindings = [] }: VerifiedOutputs,
  { id, revoked }: Target,
): IdentityBindingOutput[] {
  return identityBindings.filter(
    ({ cluster, identity }) =>
      identity.id.toLowerCase() === id.toLowerCase() && boundOn(revoked, cluster).length > 0,
  );
}

/** Returns the identity bindings that only revoked applications use. */
export function bindingsLost(outputs: VerifiedOutputs, target: Target): IdentityBindingOutput[] {
  return bindingsOf(outputs, target).filter(({ cluster }) => boundOn(target.others, cluster).length === 0);
}

/**
 * Returns the revoked service accounts that a role in a cluster lets use an identity together with others. The command that ends it
 * leaves the others in the ClusterRoleBinding.
 */
export function usersLeft(outputs: VerifiedOutputs, target: Target): Failure[] {
  return bindingsOf(outputs, target).flatMap(({ cluster, role, identity, serviceAccounts }) => {
    if (boundOn(target.others, cluster).length === 0) return [];
    const lost = boundOn(target.revoked, cluster)
      .flatMap(({ namespace, serviceAccounts: names }) => names.map((name) => `${namespace}/${name}`))
      .filter((account) => serviceAccounts.includes(account));
    if (lost.length === 0) return [];
    const subjects = serviceAccounts
      .filter((account) => !lost.includes(account))
      .map((account) => {
        const [namespace, name] = account.split('/');
        return { kind: 'ServiceAccount', namespace, name };
      });
    return [
      {
        what: `ClusterRoleBinding ${role} on ${cluster}`,
        reason: `lets ${lost.join(', ')} get new tokens of ${identity.name} until the next update`,
        command: `kubectl patch clusterrolebinding ${role} --type merge --patch '${JSON.stringify({ subjects })}'`,
      },
    ];
  });
}

export function bindingAccess({ name }: Target, { id, cluster }: IdentityBindingOutput): Access {
  return {
    ...{ kind: 'identity binding', identity: name, id, what: `on ${cluster}` },
    command: `az resource delete --ids ${id}`,
    remove: (remover) => remover.delete(id, apiVersions.identityBindings),
  };
}
