import type { Path } from '../settings/problem';
import { formatPath } from '../settings/problem';
import { isRecord } from '../settings/record';
import type { Check, Placed } from './context';
import { check, repeated } from './context';

/** What is twice in a list, also where an entry is wrong in itself. */
export const nameChecks: readonly Check[] = [
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

  check([], function* ({ given }) {
    yield* repeatedSubnets(['vault'], given.vault);
    for (const { path, vault, ...lists } of entries(given.applications, ['applications'])) {
      for (const key of ['secrets', 'serviceAccounts', 'clusters'])
        yield* sameTexts([...path, key], listOf(lists[key]));
      yield* repeatedSubnets([...path, 'vault'], vault);
    }
  }),
];

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function entries(list: unknown, path: Path): Placed<Record<string, unknown>>[] {
  return listOf(list).flatMap((entry, index) =>
    isRecord(entry) ? [{ ...entry, path: [...path, index] }] : [],
  );
}

/** The problem of every text that is in the list already, in any case. `rest` leads from an entry to its text. */
function* sameTexts(path: Path, list: readonly unknown[], rest: Path = []) {
  const texts = list.map((text, index) => ({ text, index })).filter(({ text }) => typeof text === 'string');
  for (const { item } of repeated(texts, ({ text }) => String(text).toLowerCase()))
    yield {
      path: [...path, item.index, ...rest],
      what: 'is in the list already',
      remedy: 'Remove one of them.',
    };
}

/** One endpoint a subnet: a second one would have its name, and is of no use. */
function repeatedSubnets(path: Path, vault: unknown) {
  const endpoints = listOf(isRecord(vault) ? vault.privateEndpoints : undefined);
  const subnets = endpoints.map((endpoint) => (isRecord(endpoint) ? endpoint.subnet : undefined));
  return sameTexts([...path, 'privateEndpoints'], subnets, ['subnet']);
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
