import { apiVersions } from '../../components/azure/resourceManager';
import { isInScope } from '../../components/azure/resourceId';
import { builtInRoles, roleDefinitionId, roleName } from '../../components/azure/roles';
import { onlySecrets } from '../../components/vault/nameCondition';
import { secretsNamedOn } from '../../stacks/access/vaults';
import { everGranted, roleOf } from '../../stacks/plan/granted';
import type { RoleAssignment } from '../../verification/access';
import type { VerifiedOutputs } from '../../verification/checks';
import { assignmentRemoval } from '../../verification/removal';
import type { AzureRemover } from '../azureRemover';
import type { Target } from './targets';

/** A grant or a credential of an identity. */
export interface Access {
  kind: 'role assignment' | 'access policy' | 'federated credential' | 'identity binding';
  /** Name of the identity. */
  identity: string;
  /** Resource id; for an access policy, the vault's. */
  id: string;
  /** It lets the identity give access to others. */
  canGrant?: boolean;
  /** Description for people. */
  what: string;
  /** The command that removes it by hand. */
  command: string;
  remove: (remover: AzureRemover) => Promise<void>;
}

/** Returns the part of a role assignment that is removed: all of it, some of the secrets that its condition names, or nothing. */
export function removedFrom(outputs: VerifiedOutputs, target: Target, assignment: RoleAssignment): Access[] {
  const { scope } = assignment;
  const named = secretsNamedOn(assignment);
  if (target.whole || named === undefined)
    return target.whole || isOfRevoked(outputs, target, assignment)
      ? [assignmentAccess(target, assignment)]
      : [];
  const on = (secret: string) => `${scope}/secrets/${secret}`;
  const isLost = (secret: string) => isOfRevoked(outputs, target, { ...assignment, scope: on(secret) });
  const lost = named.filter(isLost);
  const kept = named.filter((secret) => !lost.includes(secret));
  if (lost.length === 0) return [];
  return [
    kept.length === 0
      ? assignmentAccess(target, assignment)
      : narrowedAccess(target, assignment, kept, lost.map(on)),
  ];
}

/** Tells whether a role assignment is used only by the revoked applications: several may run as its identity. */
function isOfRevoked(
  { vaults, dependencies }: VerifiedOutputs,
  { revoked, others }: Target,
  { role, scope }: RoleAssignment,
): boolean {
  const isOn = (ids: readonly string[]) => ids.some((id) => id !== '' && isInScope(scope, id));
  const uses = (workloads: Target['revoked']) =>
    isOn(
      workloads
        .flatMap(everGranted)
        .map((grant) => roleOf(grant, vaults))
        .filter((granted) => granted.role === role)
        .map((granted) => granted.scope),
    );
  if (uses(revoked)) return !uses(others);
  const services = dependencies.filter((dependency) =>
    revoked.some(({ application }) => application === dependency.application),
  );
  return isOn(services.map(({ resourceId }) => resourceId));
}

function assignmentAccess({ name }: Pick<Target, 'name'>, { id, role, scope }: RoleAssignment): Access {
  return {
    kind: 'role assignment',
    identity: name,
    id,
    canGrant: role === builtInRoles.rbacAdministrator,
    what: `${roleName(role) ?? role} on ${scope}`,
    command: assignmentRemoval(id),
    remove: (remover) => remover.delete(id, apiVersions.assignments),
  };
}

/** Removes secrets from the condition of a role assignment. */
function narrowedAccess(
  { name }: Target,
  { id, role, scope, principalId, description }: RoleAssignment,
  kept: readonly string[],
  lost: readonly string[],
): Access {
  const properties = {
    roleDefinitionId: roleDefinitionId(scope, { guid: role }),
    ...{ principalId, principalType: 'ServicePrincipal', description },
    ...{ condition: onlySecrets(kept), conditionVersion: '2.0' },
  };
  return {
    ...{ kind: 'role assignment', identity: name, id },
    what: `${roleName(role) ?? role} on ${lost.join(', ')}`,
    // The entry in the stack file makes the next update do the same.
    command: 'pulumi up',
    remove: (remover) => remover.update(id, apiVersions.assignments, properties),
  };
}
