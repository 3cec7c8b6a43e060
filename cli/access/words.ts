import type { AccessChange, AccessDifference } from '../../stacks/access/difference';
import type { AccessRow } from '../../stacks/access/rows';
import { firstFew, readable } from '../../stacks/offline';

/** Said only where everything was judged. */
export const nothingElse = 'Everybody can use what they could before, and nothing else.';

/** What it is about, with a count where it is much. */
export const whatOf = ({ what }: AccessChange): string =>
  what.length > 3 ? `${what.length}: ${firstFew(what.map(readable))}` : what.map(readable).join(', ');

/** Who it is about, with a count where they are many. */
export const whoOf = ({ who }: AccessChange): string =>
  who.length > 3 ? `${who.length}: ${firstFew(who)}` : who.join(', ');

/** A sentence where one stack is compared with another, and not with itself. */
export function sidesOf({ before, after }: AccessDifference): string[] {
  return before === after
    ? []
    : [
        `The stack ${before} is compared with another one, ${after}: what has another name there is another thing.`,
      ];
}

/** What a row is about; of many that are not named, the first and how many more there are. */
export function listed({ what, overreach }: AccessRow): string {
  const more = overreach - what.length;
  return more > 0 ? `${what.join(', ')} and ${more} more` : what.join(', ');
}
