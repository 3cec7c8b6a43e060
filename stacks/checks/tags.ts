import type { Path } from '../settings/problem';
import { formatPath, valueAt } from '../settings/problem';
import { isRecord } from '../settings/record';
import { stackTag } from '../settings/schema/fields';
import type { Check } from './context';
import { check, inCase } from './context';
import { placedDependencies } from './dependencies';

// Azure's limits (azure-docs articles/azure-resource-manager/management/tag-resources.md). Those of a single tag are in
// the schema.
const maxTags = 50;
const maxNameInStorage = 128;

const placesIn = (list: unknown) => (Array.isArray(list) ? [...list.keys()] : []);

export const tagChecks: readonly Check[] = [
  /** What has tags of its own has the environment's as well. */
  check([], function* ({ given }) {
    const namesAt = (path: Path) => {
      const tags = valueAt(given, path);
      return isRecord(tags) ? Object.keys(tags) : [];
    };
    const shared = namesAt(['tags']);
    const own: Path[] = [
      ['vault', 'tags'],
      ...placesIn(given.clusters).map((place) => ['clusters', place, 'tags']),
      ...placesIn(given.applications).map((place) => ['applications', place, 'vault', 'tags']),
    ];
    for (const { path, beside } of [
      { path: ['tags'], beside: [] },
      ...own.map((path) => ({ path, beside: shared })),
    ]) {
      const names = [...beside, ...namesAt(path)];
      for (const [place, name] of names.entries()) {
        const other = names.slice(0, place).find((one) => one.toLowerCase() === name.toLowerCase());
        if (place >= beside.length && other !== undefined && other !== name)
          yield {
            path: [...path, name],
            value: JSON.stringify(name),
            what: `is the tag ${JSON.stringify(other)} again${inCase(name, other)}`,
            remedy: `Write ${other}, or remove one of them.`,
          };
      }
      const count = new Set([...names, stackTag].map((name) => name.toLowerCase())).size;
      // Too many for everything are said once.
      if (count > maxTags && beside.length < maxTags)
        yield {
          path,
          what: `comes to ${count} tags on one resource, with ${stackTag}${beside.length > 0 ? " and the environment's" : ''}`,
          allowed: `up to ${maxTags} together`,
          remedy: 'Remove some.',
        };
    }
  }),

  check(['tags'], function* (given) {
    const account = placedDependencies(given).find(({ service }) => service.kind === 'storageAccount');
    if (account === undefined) return;
    for (const name of Object.keys(given.tags))
      if (name.length > maxNameInStorage)
        yield {
          path: ['tags', name],
          value: JSON.stringify(name),
          what: `has ${name.length} characters, and ${formatPath(account.path)} is a storage account, which gets the tag as well`,
          allowed: `names of up to ${maxNameInStorage} characters on storage accounts`,
          remedy: 'Shorten it.',
        };
  }),
];
