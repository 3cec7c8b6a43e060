import type { Configuration } from '../configuration/configuration';
import { vaultFieldPath } from '../configuration/places';
import type { Problem } from '../configuration/problem';
import type { OwnState } from '../keeping/ownState';
import type { EnvironmentPlan } from '../plan';

const lockToken = 'azure-native:authorization:ManagementLockByScope';
const assignmentToken = 'azure-native:authorization:RoleAssignment';

/**
 * Grants that this update would take away, and that a lock keeps: it covers the role assignments in its vault too, so
 * that the update would end half done (azure-docs articles/azure-resource-manager/management/lock-resources).
 */
export function lockProblems({ settings, plan }: Configuration, state: OwnState): Problem[] {
  const wanted = grantNames(plan);
  return plan.vaults.flatMap((vault): Problem[] => {
    if (vault.lock !== true || state.find(lockToken, `${vault.name}-lock`) === undefined) return [];
    const removed = state.resources
      .filter(({ type, name }) => type === assignmentToken && name.startsWith(`${vault.name}/`))
      .map(({ name }) => name)
      .filter((name) => !wanted.has(name));
    if (removed.length === 0) return [];
    return [
      {
        path: vaultFieldPath(settings, vault.application, 'lock'),
        value: 'true',
        what: `keeps the grants that are no longer in the configuration, since it covers the role assignments in its vault as well: ${removed.sort().join(', ')}`,
        remedy: 'Set `lock: false` for this update, and `lock: true` again for the next.',
      },
    ];
  });
}

/** Names in the stack of all grants of single secrets: vault, identity, secret. */
function grantNames({ clusters }: EnvironmentPlan): ReadonlySet<string> {
  return new Set(
    clusters.flatMap(({ identities }) =>
      identities.flatMap(({ key, grants }) =>
        grants.flatMap(({ vault, secrets }) => secrets.map((secret) => `${vault}/${key}/${secret}`)),
      ),
    ),
  );
}
