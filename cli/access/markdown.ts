import type { AccessChange, AccessDifference } from '../../stacks/access/difference';
import { countChanges, describeCompared } from '../../stacks/access/difference';
import { fittingComment } from '../comment';
import { shownInMarkdown } from '../shownInMarkdown';
import { cellsOf, columns, sidesOf, unchanged } from './words';

/** Returns the first line of the comment. A pipeline uses it to find the comment to update. */
export const markerOf = (environment: string): string =>
  `<!-- aks-wi access ${environment.replace(/[^\w.-]/g, '_')} -->`;

/** Number of names in a cell: a comment has little room. */
const mostNamed = 20;

/** Kinds that a reviewer must not miss. */
const strong: readonly string[] = ['gained', 'widened', 'not judged'];

/** Returns a comparison as a comment for a pull request. */
export function differenceInMarkdown(difference: AccessDifference): string {
  const { changes, after } = difference;
  const head = [
    markerOf(after),
    `### Who can use what: ${shownInMarkdown(after)}`,
    '',
    ...sidesOf(difference).flatMap((side) => [shownInMarkdown(side), '']),
  ];
  if (changes.length === 0)
    return [...head, `${unchanged(difference)} ${describeCompared(difference)}`, ''].join('\n');
  const rows = fittingComment(
    evenly(changes).map((change) =>
      row(strong.includes(change.kind) ? `**${change.kind}**` : change.kind, ...cellsOf(change, mostNamed)),
    ),
  );
  const left = changes.length - rows.length;
  return [
    ...head,
    `${countChanges(difference)}. ${describeCompared(difference)}`,
    '',
    row(...columns),
    `| ${columns.map(() => '---').join(' | ')} |`,
    ...rows,
    ...(left > 0 ? ['', `and ${left} more; \`aks-wi access --diff\` shows all.`] : []),
    '',
  ].join('\n');
}

/** Orders changes for a comment that may be cut off: the first twenty of each kind come first. */
function evenly(changes: readonly AccessChange[]): AccessChange[] {
  const counts = new Map<string, number>();
  const [first, rest]: [AccessChange[], AccessChange[]] = [[], []];
  for (const change of changes) {
    const count = (counts.get(change.kind) ?? 0) + 1;
    counts.set(change.kind, count);
    (count <= 20 ? first : rest).push(change);
  }
  return [...first, ...rest];
}

/** @param kind kind in Markdown; the other cells are untrusted strings */
const row = (kind: string, ...cells: readonly string[]): string =>
  `| ${[kind, ...cells.map(shownInMarkdown)].join(' | ')} |`;
