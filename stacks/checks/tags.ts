import { stackTag } from '../plan/tags';
import type { Path, Problem } from '../settings/problem';
import type { Check } from './context';
import { check } from './context';

/** The tag that says which stack made something is the program's. */
export const reservedTags: readonly Check[] = [
  check(['tags'], ({ tags }) => reserved(tags, ['tags'])),
  check(['vault'], ({ vault }) => reserved(vault.tags, ['vault', 'tags'])),
  check([], ({ clusters, applications }, { clusterPath, applicationPath }) => [
    ...clusters.flatMap((cluster, index) =>
      cluster.mode === 'create' ? reserved(cluster.tags, [...clusterPath(index), 'tags']) : [],
    ),
    ...applications.flatMap(({ vault }, index) =>
      reserved(vault?.tags, [...applicationPath(index), 'vault', 'tags']),
    ),
  ]),
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
