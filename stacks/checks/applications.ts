import { formatPath } from '../settings/problem';
import type { ApplicationSettings } from '../settings/schema';
import { check, repeated } from './context';

export const uniqueApplications = check([], ({ applications }, { applicationPath }) =>
  repeated(applications, ({ name }) => name).map(({ item, index, firstIndex }) => ({
    path: [...applicationPath(index), 'name'],
    value: JSON.stringify(item.name),
    what: `is the name of ${formatPath(applicationPath(firstIndex))} already`,
    remedy: 'Give each application its own name.',
  })),
);

export const uniqueListEntries = check([], ({ applications }, { applicationPath }) =>
  applications.flatMap((application, index) =>
    (['secrets', 'clusters', 'serviceAccounts'] as const).flatMap((key) =>
      // Key Vault compares names of secrets without regard to case.
      repeated(listed(application[key]), (name) => name.toLowerCase()).map(({ item, index: place }) => ({
        path: [...applicationPath(index), key, place],
        value: JSON.stringify(item),
        what: 'is in the list already',
        remedy: 'Remove one of them.',
      })),
    ),
  ),
);

/** The names of a list; clusters may also be chosen by their labels. */
function listed(given: ApplicationSettings['secrets'] | ApplicationSettings['clusters']): readonly string[] {
  return Array.isArray(given) ? given : [];
}

/** Helm's limit; the release has the name of the application. */
const maxReleaseName = 53;

export const releaseNames = check([], ({ applications }, { applicationPath }) =>
  applications.flatMap((application, index) => {
    const { name } = application;
    return !('chart' in application) || name.length <= maxReleaseName
      ? []
      : [
          {
            path: [...applicationPath(index), 'name'],
            value: JSON.stringify(name),
            what: `has ${name.length} characters, too many for the name of a Helm release`,
            allowed: `at most ${maxReleaseName} characters for an application with a chart`,
            remedy: 'Shorten it, and set `namespace` and `serviceAccount` if they must keep the long name.',
          },
        ];
  }),
);
