import type { Path } from './problem';
import type { ApplicationSettings, GroupSettings } from './schema';
import type { RoleSettings } from './schema/roles';

/** A part of the stack file that lists secrets and roles: an application, one of its access windows, or a group. */
export interface GrantList {
  readonly path: Path;
  readonly secrets: readonly string[];
  readonly roles: readonly RoleSettings[];
  /** Name of the application, or `group <name>`. */
  readonly holder: string;
  /** Undefined for a group. */
  readonly application?: ApplicationSettings;
  /** True if the holder has them only at times. */
  readonly atTimes: boolean;
}

interface Holders {
  readonly applications: readonly ApplicationSettings[];
  readonly groups: readonly GroupSettings[];
}

/** Returns each application, followed by its access windows, and then each group. */
export function grantLists({ applications, groups }: Holders): GrantList[] {
  const ofApplications = applications.flatMap((application, index) =>
    [application, ...application.accessWindows].map(({ secrets, roles }, place) => ({
      path: ['applications', index, ...(place === 0 ? [] : ['accessWindows', place - 1])],
      ...{ secrets, roles, holder: application.name, application, atTimes: place > 0 },
    })),
  );
  const ofGroups = groups.map(({ name, secrets, roles }, index) => ({
    ...{ path: ['groups', index], secrets, roles, holder: `group ${name}`, atTimes: false },
  }));
  return [...ofApplications, ...ofGroups];
}
