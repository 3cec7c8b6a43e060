import data from './publishedVersions.json';

const published: Readonly<Record<string, readonly string[]>> = data.published;

/** All published api-versions of a type, oldest first. `tests/witnesses/apiVersions.py` writes the data. */
export function versionsOf(type: keyof typeof data.published): readonly string[] {
  return published[type] ?? [];
}

/** The versions from `first` on, for a type that older versions of the provider lack. */
export const since = (first: string, versions: readonly string[]): readonly string[] =>
  versions.filter((version) => version >= first);

/** The versions of several types, oldest first. */
export const together = (...lists: readonly (readonly string[])[]): readonly string[] =>
  [...new Set(lists.flat())].sort();
