import type { Problem } from './problem';
import type { StackSettings } from './schema';
import { stackSchema } from './schema';
import { shapeProblems } from './shapeProblems';

/** Returns the settings, or all problems of their shape: keys, types, and single values. */
export function parseSettings(input: Readonly<Record<string, unknown>>): {
  readonly settings?: StackSettings;
  readonly problems: readonly Problem[];
} {
  const { success, data } = stackSchema.safeParse(input);
  if (!success) return { problems: shapeProblems(stackSchema, input) };
  // The content of release files is already applied here; a release file that cannot be read is reported separately.
  return { settings: data as StackSettings, problems: [] };
}
