import type { Path } from './problem';
import type { ApplicationSettings, GroupSettings } from './schema';
import type { RoleSettings } from './schema/roles';

/** A part of the stack file that lists secrets and roles: an application, one of its access windows, or a group. */
export interface GrantList {
  readonly path: Path;
  readonly secrets: readonly string[];
  readonly roles: readonly RoleSettings[];
  /** Name of the application or of the group. */
  readonly name: string;
  /** Undefined for a group. */
  readonly application?: ApplicationSettings;
  /** Whether they are granted only at times. */
  readonly atTimes: boolean;
}

/** Returns each application, followed by its access windows, and then each group. */
export function grantLists({
  applications,
  groups,
}: {
  readonly applications: readonly ApplicationSettings[];
  readonly groups: readonly GroupSettings[];
}): GrantList[] {
  const ofApplications = applications.flatMap((application, index) => {
    const [path, { name, accessWindows }] = [['applications', index], application];
    return [
      { ...application, path, application, atTimes: false },
      ...accessWindows.map((window, place) => ({
        ...{ ...window, path: [...path, 'accessWindows', place] },
        ...{ name, application, atTimes: true },
      })),
    ];
  });
  return [
    ...ofApplications,
    ...groups.map((group, index) => ({ ...group, path: ['groups', index], atTimes: false })),
  ];
}
