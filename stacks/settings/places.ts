import type { Path } from './problem';
import type { StackSettings } from './schema';

// Paths in the stack file of what the plan contains, for messages.

interface Applications {
  readonly applications: readonly { readonly name: string }[];
}

/** Returns the path of an application. */
export function applicationPath({ applications }: Applications, application: string): Path {
  return ['applications', applications.findIndex(({ name }) => name === application)];
}

/** Returns the path of a dependency of an application. */
export function dependencyPath(settings: StackSettings, application: string, dependency: string): Path {
  const owner = settings.applications.find(({ name }) => name === application);
  const place = owner?.dependencies.findIndex(({ name }) => name === dependency) ?? 0;
  return [...applicationPath(settings, application), 'dependencies', place];
}

/** Returns the path of a vault; `application` is its owner, undefined for the central vault. */
export function vaultPath(settings: Applications, application: string | undefined): Path {
  return application === undefined ? ['vault'] : [...applicationPath(settings, application), 'vault'];
}
