import data from './publishedVersions.json';

const published: Readonly<Record<string, readonly string[]>> = data.published;

/** All published api-versions of a type, oldest first. `tests/witnesses/apiVersions.py` writes the data. */
export function versionsOf(type: string): readonly string[] {
  return published[type] ?? [];
}
