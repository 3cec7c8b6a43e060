import type { Problem } from '../settings/problem';
import { formatPath } from '../settings/problem';
import type { ApplicationSettings } from '../settings/schema';
import type { Check } from './context';
import { repeated } from './context';

export const uniqueApplications: Check = ({ settings, applicationPath }) =>
  repeated(settings.applications, ({ name }) => name).map(({ item, index, first }) => ({
    path: [...applicationPath(index), 'name'],
    value: JSON.stringify(item.name),
    what: `is the name of ${formatPath(applicationPath(first))} already`,
    remedy: 'Give each application its own name.',
  }));

export const uniqueListEntries: Check = ({ settings, applicationPath }) =>
  settings.applications.flatMap((application, index) =>
    (['secrets', 'clusters', 'serviceAccounts'] as const).flatMap((key) =>
      // Key Vault compares names of secrets without regard to case.
      repeated(listed(application[key]), (name) => name.toLowerCase()).map(({ item, index: place }) => ({
        path: [...applicationPath(index), key, place],
        value: JSON.stringify(item),
        what: 'is in the list already',
        remedy: 'Remove one of them.',
      })),
    ),
  );

/** The names of a list; clusters may also be chosen by their labels. */
function listed(given: ApplicationSettings['secrets'] | ApplicationSettings['clusters']): readonly string[] {
  return Array.isArray(given) ? given : [];
}

export const imageOrChart: Check = ({ settings, applicationPath }) =>
  settings.applications.flatMap((application, index): Problem[] => {
    const path = applicationPath(index);
    // Of a release, that is checked where it is read.
    if (application.release !== undefined && application.chart === undefined) return [];
    if (application.image === undefined && application.chart === undefined) {
      return [
        {
          path,
          value: JSON.stringify(application.name),
          what: 'has nothing to run',
          allowed: 'either `image` or `chart`',
          remedy: 'Add one of them.',
        },
      ];
    }
    if (application.chart === undefined) return [];
    return (['image', 'replicas', 'port', 'env'] as const)
      .filter((key) => application[key] !== undefined)
      .map((key) => ({
        path: [...path, key],
        what: 'has no meaning for an application with a chart of its own',
        remedy:
          key === 'image'
            ? 'Remove `image` or `chart`.'
            : `Set it in ${application.release === undefined ? '`chart.values`' : 'the `values` of an override'}, as the chart has it.`,
      }));
  });

/** Helm's limit; the release has the name of the application. */
const maxReleaseName = 53;

export const releaseNames: Check = ({ settings, applicationPath }) =>
  settings.applications.flatMap(({ name, chart }, index) =>
    chart === undefined || name.length <= maxReleaseName
      ? []
      : [
          {
            path: [...applicationPath(index), 'name'],
            value: JSON.stringify(name),
            what: `has ${name.length} characters, too many for the name of a Helm release`,
            allowed: `at most ${maxReleaseName} characters for an application with a chart`,
            remedy: 'Shorten it, and set `namespace` and `serviceAccount` if they must keep the long name.',
          },
        ],
  );
