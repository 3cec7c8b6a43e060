import { stackTag } from '../plan/tags';
import type { Path, Problem } from '../settings/problem';
import type { Check } from './context';

/** The tag that says which stack made something is the program's. */
export const reservedTags: Check = ({ settings, clusterPath, applicationPath }) => [
  ...reserved(settings.tags, ['tags']),
  ...reserved(settings.vault.tags, ['vault', 'tags']),
  ...settings.clusters.flatMap(({ tags }, index) => reserved(tags, [...clusterPath(index), 'tags'])),
  ...settings.applications.flatMap(({ vault }, index) =>
    reserved(vault?.tags, [...applicationPath(index), 'vault', 'tags']),
  ),
];

/** Azure compares names of tags without regard to case. */
function reserved(tags: Readonly<Record<string, string>> = {}, path: Path): Problem[] {
  return Object.keys(tags)
    .filter((name) => name.toLowerCase() === stackTag)
    .map((name) => ({
      path: [...path, name],
      what: 'is the tag by which the stack knows what it made',
      remedy: 'Remove it, or choose another name.',
    }));
}
