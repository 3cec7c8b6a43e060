import { selects } from '../plan';
import { nearest } from '../settings/nearest';
import type { Path, Problem } from '../settings/problem';
import type { ApplicationSettings } from '../settings/schema';
import { check } from './context';

/** Labels that no cluster has: the application, or what is different of it, would be nowhere. */
export const selectedLabels = check(['clusters'], (settings, { applicationPath }) => {
  const labelled = settings.clusters.map(({ name, labels }) => `${name} ${showLabels(labels ?? {})}`);
  return settings.applications.flatMap((application, index) =>
    selections(application).flatMap(({ path, clusters }): Problem[] => {
      if (clusters === undefined || Array.isArray(clusters)) return [];
      if (settings.clusters.some((cluster) => selects(clusters, cluster))) return [];
      return [
        {
          path: [...applicationPath(index), ...path, 'labels'],
          value: showLabels(clusters.labels),
          what: 'is what no cluster of this stack has',
          allowed: labelled.join(', '),
          remedy: 'Correct it, or set `labels` on a cluster.',
        },
      ];
    }),
  );
});

function selections({ clusters, overrides }: ApplicationSettings) {
  return [
    { path: ['clusters'], clusters },
    ...overrides.map((override, place) => ({
      path: ['overrides', place, 'clusters'],
      clusters: override.clusters,
    })),
  ];
}

function showLabels(labels: Readonly<Record<string, string>>): string {
  const entries = Object.entries(labels).map(([key, value]) => `${key}: ${value}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/** What an override says of other clusters than there are, or than the application runs on, holds nowhere. */
export const overriddenClusters = check(['clusters'], (settings, { applicationPath }) => {
  const known = settings.clusters.map(({ name }) => name);
  return settings.applications.flatMap((application, index) => {
    const here = settings.clusters.filter((cluster) => selects(application.clusters, cluster));
    return application.overrides.flatMap(({ clusters }, place): Problem[] => {
      const path = [...applicationPath(index), 'overrides', place, 'clusters'];
      const names = Array.isArray(clusters) ? clusters : [];
      const unknown = names.flatMap((name, position) =>
        known.includes(name) ? [] : [unknownCluster([...path, position], name, known)],
      );
      const somewhere = settings.clusters.some((cluster) => selects(clusters, cluster));
      if (unknown.length > 0 || !somewhere) return unknown;
      if (here.length === 0 || here.some((cluster) => selects(clusters, cluster))) return [];
      return [
        {
          path,
          what: 'takes in no cluster that the application runs on',
          allowed: here.map(({ name }) => name).join(', '),
          remedy: 'Correct it, or remove the override.',
        },
      ];
    });
  });
});

/** A name that is no cluster's. */
export function unknownCluster(path: Path, name: string, known: readonly string[]): Problem {
  const near = nearest(name, known);
  return {
    path,
    value: JSON.stringify(name),
    what: 'is no cluster of this stack',
    allowed: known.join(', '),
    ...(near !== undefined && { remedy: `Did you mean ${near}?` }),
  };
}
