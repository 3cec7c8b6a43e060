import type { StackSettings } from '../settings/schema';
import { project } from '../settings/problem';
import { stackTag } from '../settings/schema/fields';

export type Tags = Readonly<Record<string, string>>;

/** Returns the value of the stack tag. */
export function stackTagValue(environment: string): string {
  return `${project}/${environment}`;
}

/** Returns a filter for lists of the resource manager that selects resources with the tag of the stack. */
export function stackTagFilter(environment: string): string {
  return `tagName eq '${stackTag}' and tagValue eq '${stackTagValue(environment)}'`;
}

/** Returns the description of a stack's groups in Entra, which have no tags. */
export function groupDescription(environment: string): string {
  return `Made by the stack ${stackTagValue(environment)}.`;
}

/** Returns only the stack's own tag: a secret gets a new version when any of its tags changes. */
export function secretTags(tags: Tags): Tags {
  return { [stackTag]: tags[stackTag] ?? '' };
}

/** Returns the tags of everything that the stack creates in Azure. */
export function environmentTags(environment: string, { tags }: StackSettings): Tags {
  return { ...tags, [stackTag]: stackTagValue(environment) };
}
