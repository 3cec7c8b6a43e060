import { stackTag } from '../plan/tags';
import type { Path, Problem } from '../settings/problem';
import type { Check } from './context';
import { check } from './context';

/** The tag that says which stack made something is the program's. */
export const tagChecks: readonly Check[] = [
  check(['tags'], ({ tags }) => reserved(tags, [])),
  check(['vault'], ({ vault }) => reserved(vault.tags, ['vault'])),
  check([], function* ({ clusters, applications }) {
    for (const cluster of clusters)
      if (cluster.mode === 'create') yield* reserved(cluster.tags, cluster.path);
    for (const { path, vault } of applications) yield* reserved(vault?.tags, [...path, 'vault']);
  }),
];

function* reserved(tags: Readonly<Record<string, string>> = {}, path: Path): Generator<Problem> {
  for (const name of Object.keys(tags))
    // Azure compares names of tags without regard to case.
    if (name.toLowerCase() === stackTag)
      yield {
        path: [...path, 'tags', name],
        what: 'is set as the tag by which the stack knows what it made',
        remedy: 'Remove it, or choose another name.',
      };
}
