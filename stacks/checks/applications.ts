import { formatPath } from '../settings/problem';
import type { Check } from './context';
import { check, repeated } from './context';

/** Helm's limit; the release has the name of the application. */
const maxReleaseName = 53;

export const applicationChecks: readonly Check[] = [
  check([], function* ({ applications }) {
    for (const { item, first } of repeated(applications, ({ name }) => name))
      yield {
        path: [...item.path, 'name'],
        what: `is the name of ${formatPath(first.path)} already`,
        remedy: 'Give each application its own name.',
      };
  }),

  check([], function* ({ applications }) {
    for (const { path, secrets, clusters, serviceAccounts } of applications) {
      // Clusters may also be chosen by their labels.
      const lists = { secrets, serviceAccounts, clusters: Array.isArray(clusters) ? clusters : [] };
      for (const [key, list] of Object.entries(lists))
        // Key Vault compares names of secrets without regard to case.
        for (const { index } of repeated(list, (name) => name.toLowerCase()))
          yield {
            path: [...path, key, index],
            what: 'is in the list already',
            remedy: 'Remove one of them.',
          };
    }
  }),

  check([], function* ({ applications }) {
    for (const application of applications) {
      const { path, name } = application;
      if (!('chart' in application) || name.length <= maxReleaseName) continue;
      yield {
        path: [...path, 'name'],
        what: `has ${name.length} characters, too many for the name of a Helm release`,
        allowed: `at most ${maxReleaseName} characters for an application with a chart`,
        remedy: 'Shorten it, and set `namespace` and `serviceAccount` if they must keep the long name.',
      };
    }
  }),
];
