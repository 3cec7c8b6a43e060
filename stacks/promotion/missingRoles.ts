import { roleName } from '../../components/azure/roles';
import type { Configuration } from '../plan';
import { planRoles } from '../plan';
import type { StackSettings } from '../settings/schema';

/** The roles of the application, whenever and wherever it has them, by their GUIDs. */
function rolesOf({ applications }: StackSettings, name: string): Set<string> {
  const all = applications
    .filter((one) => one.name === name)
    .flatMap(({ roles, accessWindows }) => [...roles, ...accessWindows.flatMap((one) => one.roles)]);
  return new Set(planRoles(all).map(({ role }) => role));
}

/**
 * What to say of roles that an application has in one environment, and nowhere in the other: their scopes differ between the two,
 * so that a promotion leaves them out, and the release may need them.
 */
export function missingRoles(
  from: Pick<Configuration, 'environment' | 'settings'>,
  to: Pick<Configuration, 'environment' | 'settings'>,
  applications: readonly string[],
): string[] {
  return applications.flatMap((name) => {
    const held = rolesOf(to.settings, name);
    const missing = [...rolesOf(from.settings, name)].filter((role) => !held.has(role));
    const names = missing.map((role) => roleName(role) ?? role).sort();
    return names.length === 0
      ? []
      : [
          `${to.environment} gives ${name} no role ${names.join(', ')}, and ${from.environment} does: roles are not promoted. If the release needs it, add it to the stack file of ${to.environment}, with the scope there.`,
        ];
  });
}
