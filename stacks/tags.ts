import type { StackSettings } from './schema';

/** The tags as arguments of a component: absent if there are none, so that Azure's answer shows no difference. */
export function tagsOf({ tags }: StackSettings): { tags?: Record<string, string> } {
  return Object.keys(tags).length > 0 ? { tags } : {};
}
