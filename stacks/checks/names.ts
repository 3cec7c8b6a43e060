import type { Path } from '../settings/problem';
import { formatPath } from '../settings/problem';
import { isRecord } from '../settings/record';
import type { Check, Placed } from './context';
import { check, repeated, sameTexts } from './context';

/** What is twice in a list. */
export const nameChecks: readonly Check[] = [
  /** Entries are compared by their names, also where one of them is wrong in itself. */
  check([], function* ({ given }) {
    const applications = entries(given.applications, ['applications']);
    yield* sameNames(entries(given.clusters, ['clusters']), 'Give each cluster its own name.');
    yield* sameNames(applications, 'Give each application its own name.');
    for (const { path, dependencies } of applications)
      yield* sameNames(
        entries(dependencies, [...path, 'dependencies']),
        'Give each dependency of an application its own name.',
      );
  }),

  check([], function* ({ applications }) {
    for (const { path, secrets, clusters, serviceAccounts } of applications) {
      // Clusters may also be chosen by their labels.
      const lists = { secrets, serviceAccounts, clusters: Array.isArray(clusters) ? clusters : [] };
      for (const [key, list] of Object.entries(lists)) yield* sameTexts([...path, key], list);
    }
  }),
];

function entries(list: unknown, path: Path): Placed<Record<string, unknown>>[] {
  const all: unknown[] = Array.isArray(list) ? list : [];
  return all.flatMap((entry, index) => (isRecord(entry) ? [{ ...entry, path: [...path, index] }] : []));
}

function* sameNames(all: readonly Placed<Record<string, unknown>>[], remedy: string) {
  const named = all.filter(({ name }) => typeof name === 'string');
  for (const { item, first } of repeated(named, ({ name }) => String(name)))
    yield {
      path: [...item.path, 'name'],
      what: `is the name of ${formatPath(first.path)} already`,
      remedy,
    };
}
