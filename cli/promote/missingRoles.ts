import { roleName } from '../../components/azure/roles';
import type { Configuration } from '../../stacks/plan';
import { planRoles } from '../../stacks/plan';
import { grantLists } from '../../stacks/settings/grantLists';
import type { StackSettings } from '../../stacks/settings/schema';

/** Returns the GUIDs of the application's roles, at all times and on all scopes. */
function rolesOf(settings: StackSettings, name: string): Set<string> {
  const roleSettings = grantLists(settings)
    .filter(({ application }) => application?.name === name)
    .flatMap(({ roles }) => roles);
  return new Set(planRoles(roleSettings).map(({ role }) => role));
}

/**
 * Returns notes on roles that applications have only in the source environment. A promotion does not copy them, since their scopes
 * differ, but the release may need them.
 */
export function missingRoles(
  from: Pick<Configuration, 'environment' | 'settings'>,
  to: Pick<Configuration, 'environment' | 'settings'>,
  applications: readonly string[],
): string[] {
  return applications.flatMap((name) => {
    const existing = rolesOf(to.settings, name);
    const missing = [...rolesOf(from.settings, name)].filter((role) => !existing.has(role));
    const names = missing.map((role) => roleName(role) ?? role).sort();
    return names.length === 0
      ? []
      : [
          `${name} has the role ${names.join(', ')} in ${from.environment}, but not in ${to.environment}: roles are not promoted. If the release needs it, add it to the stack file of ${to.environment}, with the scope there.`,
        ];
  });
}
