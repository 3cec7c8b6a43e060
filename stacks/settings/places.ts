import type { Path } from './problem';
import type { StackSettings } from './schema';

// Paths in the stack file of what the plan contains, for messages.

interface Named {
  readonly applications: readonly { readonly name: string }[];
}

/** Returns the index of an application in the list; -1 if none has the name. */
export function applicationIndex({ applications }: Named, application: string | undefined): number {
  return applications.findIndex(({ name }) => name === application);
}

/** Returns the path of a dependency of an application. */
export function dependencyPath(settings: StackSettings, application: string, dependency: string): Path {
  const index = applicationIndex(settings, application);
  const place = settings.applications[index]?.dependencies.findIndex(({ name }) => name === dependency) ?? 0;
  return ['applications', index, 'dependencies', place];
}

/** Returns the path of a vault; `application` is its owner, undefined for the central vault. */
export function vaultPath(settings: Named, application: string | undefined): Path {
  return application === undefined
    ? ['vault']
    : ['applications', applicationIndex(settings, application), 'vault'];
}
