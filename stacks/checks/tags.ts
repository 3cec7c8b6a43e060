import { formatPath } from '../settings/problem';
import { maxTags, stackTag } from '../settings/schema/fields';
import type { Check } from './context';
import { inCase, repeated } from './context';
import { placedDependencies } from './dependencies';

/** Azure's limit (azure-docs articles/azure-resource-manager/management/tag-resources.md). */
const maxNameInStorage = 128;

export const tagChecks: readonly Check[] = [
  /** A resource with tags of its own gets the environment's as well. */
  function* ({ tags, vault, clusters, applications }) {
    const owners = [
      { path: [], tags },
      { path: ['vault'], tags: vault.tags },
      ...clusters.map(({ path, ...cluster }) => ({ path, tags: 'tags' in cluster ? cluster.tags : {} })),
      ...applications.map(({ path, vault }) => ({ path: [...path, 'vault'], tags: vault?.tags })),
    ];
    for (const { path: at, tags: own = {} } of owners) {
      const path = [...at, 'tags'];
      const beside = own === tags ? [] : Object.keys(tags);
      const names = [...beside, ...Object.keys(own)];
      for (const { item: name, index, first } of repeated(names, (tag) => tag.toLowerCase()))
        if (index >= beside.length && first !== name)
          yield {
            path: [...path, name],
            value: JSON.stringify(name),
            what: `repeats the tag ${JSON.stringify(first)}${inCase(name, first)}`,
            hint: `Write ${first}, or remove one of them.`,
          };
      const count = new Set([...names, stackTag].map((name) => name.toLowerCase())).size;
      // If the environment's tags alone are too many, they are reported once.
      if (count > maxTags && beside.length < maxTags)
        yield {
          path,
          what: `adds up to ${count} tags on one resource, with ${stackTag}${beside.length > 0 ? " and the environment's" : ''}`,
          allowed: `up to ${maxTags} in total`,
          hint: 'Remove some.',
        };
    }
  },

  function* (input) {
    const account = placedDependencies(input).find(({ service }) => service.kind === 'storageAccount');
    if (account === undefined) return;
    for (const name of Object.keys(input.tags))
      if (name.length > maxNameInStorage)
        yield {
          path: ['tags', name],
          value: JSON.stringify(name),
          what: `has ${name.length} characters, and the storage account ${formatPath(account.path)} gets the tag as well`,
          allowed: `names of up to ${maxNameInStorage} characters on storage accounts`,
          hint: 'Shorten it.',
        };
  },
];
