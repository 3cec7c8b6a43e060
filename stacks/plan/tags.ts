import type { StackSettings } from '../settings/schema';
import { project } from '../settings/problem';
import { stackTag } from '../settings/schema/fields';

export type Tags = Readonly<Record<string, string>>;

/** What the tag says of a stack. */
export function stackTagValue(environment: string): string {
  return `${project}/${environment}`;
}

/** Filter of the resource manager's lists: what has the tag of a stack. */
export function stackTagFilter(environment: string): string {
  return `tagName eq '${stackTag}' and tagValue eq '${stackTagValue(environment)}'`;
}

/** Description in Entra of a stack's groups, which have no tags. */
export function groupDescription(environment: string): string {
  return `Made by the stack ${stackTagValue(environment)}.`;
}

/** Of these tags, only that of the stack: a secret gets a new version with a change of any tag. */
export function secretTags(tags: Tags): Tags {
  return { [stackTag]: tags[stackTag] ?? '' };
}

/** Tags of everything that the stack makes in Azure. */
export function environmentTags(environment: string, { tags }: StackSettings): Tags {
  return { ...tags, [stackTag]: stackTagValue(environment) };
}
