import { selects } from '../plan';
import { nearest } from '../settings/nearest';
import type { Path, Problem } from '../settings/problem';
import type { ApplicationSettings } from '../settings/schema';
import type { Check, CheckInput } from './context';

type Selection = NonNullable<ApplicationSettings['clusters']>;

/** An application or an override must select at least one cluster. */
export const selectionChecks: readonly Check[] = [
  function* (input) {
    for (const application of input.applications) {
      const { path, clusters } = application;
      const overrides = 'overrides' in application ? application.overrides : [];
      if (clusters !== undefined) yield* selectionProblems([...path, 'clusters'], clusters, input);
      const here = input.clusters.filter((cluster) => selects(clusters, cluster));
      for (const [place, override] of overrides.entries()) {
        const at = [...path, 'overrides', place, 'clusters'];
        const problems = [...selectionProblems(at, override.clusters, input)];
        yield* problems;
        const isElsewhere = here.every((cluster) => !selects(override.clusters, cluster));
        if (problems.length === 0 && here.length > 0 && isElsewhere)
          yield {
            path: at,
            what: 'selects no cluster that the application runs on',
            allowed: here.map(({ name }) => name).join(', '),
            hint: 'Correct it, or remove the override.',
          };
      }
    }
  },
];

/** Yields problems of a selection that includes no cluster, or names one that does not exist. */
export function* selectionProblems(
  path: Path,
  selection: Selection,
  { clusters }: Pick<CheckInput, 'clusters'>,
): Generator<Problem> {
  if (Array.isArray(selection)) {
    for (const [place, name] of selection.entries())
      if (clusters.every((cluster) => cluster.name !== name))
        yield unknownCluster([...path, place], name, clusters);
  } else if (!clusters.some((cluster) => selects(selection, cluster)))
    yield {
      path: [...path, 'labels'],
      value: showLabels(selection.labels),
      what: 'matches no cluster of this stack',
      allowed: clusters.map(({ name, labels }) => `${name} ${showLabels(labels)}`).join(', '),
      hint: 'Correct it, or set `labels` on a cluster.',
    };
}

function showLabels(labels: Readonly<Record<string, string>> = {}): string {
  const entries = Object.entries(labels).map(([key, value]) => `${key}: ${value}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/** Problem of a name that no cluster has. */
export function unknownCluster(path: Path, name: string, clusters: CheckInput['clusters']): Problem {
  const known = clusters.map((cluster) => cluster.name);
  const near = nearest(name, known);
  return {
    path,
    value: JSON.stringify(name),
    what: 'is not a cluster of this stack',
    allowed: known.join(', '),
    ...(near !== undefined && { hint: `Did you mean ${near}?` }),
  };
}
