import type { AccessChange, AccessDifference } from '../../stacks/access/difference';
import type { AccessRow } from '../../stacks/access/rows';
import { firstFew } from '../../components/resource/firstFew';
import { readable } from '../../stacks/access/readable';

/** Returns the sentence for a comparison without changes. "Access is unchanged" requires equal counts on both sides. */
export function unchanged({ counts: { before, after } }: AccessDifference): string {
  const isSame = JSON.stringify(before) === JSON.stringify(after);
  return isSame
    ? 'Access is unchanged.'
    : 'Nobody gains access. Something that grants no access was added or removed.';
}

/** Titles of the columns of a comparison; the first contains the kind of change. */
export const columns = ['change', 'who', 'identity', 'what', 'because'] as const;

/**
 * Returns the cells of a change after its kind.
 * @param most number of secrets or roles that are named. Default: all
 */
export const cellsOf = (change: AccessChange, most?: number): string[] => [
  whoOf(change),
  firstFew(change.identities),
  whatOf(change, most),
  readable(change.why),
];

/** Returns the secrets, roles or inputs that a change is about, with a count if they are many. */
function whatOf({ what }: AccessChange, most = Infinity): string {
  const names = what.map(readable);
  const more = names.length - most;
  const count = names.length > 3 ? `${names.length}: ` : '';
  return count + (more > 0 ? `${names.slice(0, most).join(', ')} and ${more} more` : names.join(', '));
}

/** Returns the subjects or resources that a change is about, with a count if they are many. */
const whoOf = ({ who }: AccessChange): string =>
  who.length > 3 ? `${who.length}: ${firstFew(who)}` : who.join(', ');

/** Returns a sentence if two different stacks are compared. */
export function sidesOf({ before, after }: AccessDifference): string[] {
  return before === after
    ? []
    : [
        `The stack ${before} is compared with a different one, ${after}: things with different names count as different things.`,
      ];
}

/** Returns the secrets and roles of a row. If many are not named, it lists the first and the number of the others. */
export function listed({ what, overreach }: AccessRow): string {
  const more = overreach - what.length;
  return more > 0 ? `${what.join(', ')} and ${more} more` : what.join(', ');
}
