import type { Path } from './problem';
import type { StackSettings } from './schema';

// Paths in the stack file of what the plan has, for messages.

/** Index of an application in the list; -1 if none has the name. */
export function applicationIndex(
  { applications }: Pick<StackSettings, 'applications'>,
  application: string | undefined,
): number {
  return applications.findIndex(({ name }) => name === application);
}

/** Path of a hosted cluster. */
export function hostedClusterPath(
  { hostedClusters }: Pick<StackSettings, 'hostedClusters'>,
  hostedCluster: string | undefined,
): Path {
  return ['hostedClusters', hostedClusters.findIndex(({ name }) => name === hostedCluster)];
}

/** Path of a dependency of an application. */
export function dependencyPath(settings: StackSettings, application: string, dependency: string): Path {
  const index = applicationIndex(settings, application);
  const place = settings.applications[index]?.dependencies.findIndex(({ name }) => name === dependency) ?? 0;
  return ['applications', index, 'dependencies', place];
}

/** Path of a vault; `application` is the one whose own vault it is. */
export function vaultPath(
  settings: Pick<StackSettings, 'applications'>,
  application: string | undefined,
): Path {
  return application === undefined
    ? ['vault']
    : ['applications', applicationIndex(settings, application), 'vault'];
}
