import type { AccessChange, AccessDifference } from '../../stacks/access/difference';
import type { AccessRow } from '../../stacks/access/rows';
import { firstFew, readable } from '../../stacks/offline';

/** Sentence on a comparison without a change: "and nothing else" is said only where as much was compared on both sides. */
export function unchanged({ counts: { before, after } }: AccessDifference): string {
  const isSame = JSON.stringify(before) === JSON.stringify(after);
  return isSame
    ? 'Everybody can use what they could before, and nothing else.'
    : 'Nobody can use what they could not before. Something that gives nobody anything was added or removed.';
}

/** Titles of the columns of a comparison; the kind of change is in the first one. */
export const columns = ['change', 'who', 'identity', 'what', 'because'] as const;

/**
 * The columns of a change after its kind.
 * @param most so many of what it is about are named. Default: all
 */
export const cellsOf = (change: AccessChange, most?: number): string[] => [
  whoOf(change),
  firstFew(change.identities),
  whatOf(change, most),
  readable(change.why),
];

/** Secrets, roles or inputs that a change is about, with a count where they are many. */
function whatOf({ what }: AccessChange, most = Infinity): string {
  const all = what.map(readable);
  const more = all.length - most;
  const count = all.length > 3 ? `${all.length}: ` : '';
  return count + (more > 0 ? `${all.slice(0, most).join(', ')} and ${more} more` : all.join(', '));
}

/** Subjects or resources that a change is about, with a count where they are many. */
const whoOf = ({ who }: AccessChange): string =>
  who.length > 3 ? `${who.length}: ${firstFew(who)}` : who.join(', ');

/** A sentence where one stack is compared with another, and not with itself. */
export function sidesOf({ before, after }: AccessDifference): string[] {
  return before === after
    ? []
    : [
        `The stack ${before} is compared with another one, ${after}: what has another name there is another thing.`,
      ];
}

/** Secrets and roles of a row; of many that are not named, the first and how many more there are. */
export function listed({ what, overreach }: AccessRow): string {
  const more = overreach - what.length;
  return more > 0 ? `${what.join(', ')} and ${more} more` : what.join(', ');
}
