import type { Path } from './problem';
import type { ApplicationSettings, StackSettings } from './schema';

// Paths in the stack file of what the plan has, for messages.

/** Index of an application in the list; -1 if none has the name. */
export function applicationIndex(
  { applications }: Pick<StackSettings, 'applications'>,
  application: string | undefined,
): number {
  return applications.findIndex(({ name }) => name === application);
}

/**
 * Path of a setting of a vault, the central one or an application's. What an application does not set comes from the
 * central vault.
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
