import type { StackSettings } from './schema';

// Paths in the stack file of what the plan has, for messages.

/** Index of an application in the list; -1 if none has the name. */
export function applicationIndex(
  { applications }: Pick<StackSettings, 'applications'>,
  application: string | undefined,
): number {
  return applications.findIndex(({ name }) => name === application);
}
