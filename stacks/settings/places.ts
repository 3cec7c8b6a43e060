import type { Path } from './problem';
import type { ApplicationSettings, StackSettings } from './schema';

// Where the stack file says what the plan has, for messages.

/** Place of an application in the list; -1 if there is none of that name. */
export function applicationIndex(
  { applications }: Pick<StackSettings, 'applications'>,
  application: string | undefined,
): number {
  return applications.findIndex(({ name }) => name === application);
}

/**
 * Where the stack file says something of a vault, the central one or that of an application, which takes from the central
 * one what it does not say itself.
 */
export function vaultFieldPath(
  { applications }: Pick<StackSettings, 'applications'>,
  application: string | undefined,
  field: keyof NonNullable<ApplicationSettings['vault']> & keyof StackSettings['vault'],
): Path {
  const index = applications.findIndex(
    ({ name, vault }) => name === application && vault?.[field] !== undefined,
  );
  return [...(index < 0 ? [] : ['applications', index]), 'vault', field];
}
