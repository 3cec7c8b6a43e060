import type { StackSettings } from '../configuration/schema';

/**
 * The environment's tags, and those of one thing over them, as arguments of a component: absent if there are none, so
 * that Azure's answer shows no difference.
 */
export function tagsOf(
  { tags }: StackSettings,
  own: Readonly<Record<string, string>> = {},
): { tags?: Record<string, string> } {
  const all = { ...tags, ...own };
  return Object.keys(all).length > 0 ? { tags: all } : {};
}
