import { parseAllDocuments } from 'yaml';
import type { Json, JsonObject } from '../json';
import { isJsonObject, textAt } from '../json';
import { kindOf } from '../client/kinds';

export function manifestObjects(manifest: string): JsonObject[] {
  return parseAllDocuments(manifest)
    .map((document) => document.toJS() as Json)
    .filter((object): object is JsonObject => isJsonObject(object) && textAt(object, 'kind') !== undefined);
}

/** Returns names of a manifest's objects by kind, in the official plugin's format: `Deployment.apps/apps/v1`. */
export function resourceNames(manifest: string): Record<string, string[]> {
  const names = new Map<string, Set<string>>();
  for (const object of manifestObjects(manifest)) {
    const apiVersion = textAt(object, 'apiVersion') ?? '';
    const { group, kind } = kindOf(apiVersion, textAt(object, 'kind') ?? '');
    const key = `${group === '' ? kind : `${kind}.${group}`}/${apiVersion}`;
    const namespace = textAt(object, 'metadata', 'namespace');
    const name = textAt(object, 'metadata', 'name') ?? '';
    names.set(
      key,
      (names.get(key) ?? new Set()).add(namespace === undefined ? name : `${namespace}/${name}`),
    );
  }
  const sorted = [...names].map(([key, set]): [string, string[]] => [key, [...set].sort()]);
  return Object.fromEntries(sorted.sort(([a], [b]) => (a < b ? -1 : 1)));
}
