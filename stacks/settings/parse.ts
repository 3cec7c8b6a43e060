import type { Problem } from './problem';
import type { StackSettings } from './schema';
import { stackSchema } from './schema';
import { shapeProblems } from './shapeProblems';

/** The settings, or all problems of their shape: keys, types, and single values. */
export function parseSettings(input: Readonly<Record<string, unknown>>): {
  readonly settings?: StackSettings;
  readonly problems: readonly Problem[];
} {
  const { success, data } = stackSchema.safeParse(input);
  if (!success) return { problems: shapeProblems(stackSchema, input) };
  // What a release file gives is in its place here; where it cannot be read, that is a problem of its own.
  return { settings: data as StackSettings, problems: [] };
}
