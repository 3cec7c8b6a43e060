import type { AccessChange, AccessDifference } from '../../stacks/access/difference';
import { countChanges, describeCompared } from '../../stacks/offline';
import { fittingComment } from '../comment';
import { shownInMarkdown } from '../shownInMarkdown';
import { cellsOf, columns, sidesOf, unchanged } from './words';

/** The first line of the comment, by which a pipeline finds the one to update. */
export const markerOf = (environment: string): string =>
  `<!-- aks-wi access ${environment.replace(/[^\w.-]/g, '_')} -->`;

/** So many names are in a cell; a comment has little room. */
const mostNamed = 20;

/** Kinds that a reviewer must not miss. */
const strong: readonly string[] = ['gained', 'widened', 'not judged'];

/** A comparison as a comment for a pull request. */
export function differenceInMarkdown(difference: AccessDifference): string {
  const { changes, after } = difference;
  const head = [
    markerOf(after),
    `### Who can use what: ${shownInMarkdown(after)}`,
    '',
    ...sidesOf(difference).flatMap((one) => [shownInMarkdown(one), '']),
  ];
  if (changes.length === 0)
    return [...head, `${unchanged(difference)} ${describeCompared(difference)}`, ''].join('\n');
  const rows = fittingComment(
    evenly(changes).map((one) =>
      row(strong.includes(one.kind) ? `**${one.kind}**` : one.kind, ...cellsOf(one, mostNamed)),
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

/** Of more than there is room for, some of each kind: the first twenty of each come first. */
function evenly(changes: readonly AccessChange[]): AccessChange[] {
  const counts = new Map<string, number>();
  const [first, rest]: [AccessChange[], AccessChange[]] = [[], []];
  for (const one of changes) {
    const count = (counts.get(one.kind) ?? 0) + 1;
    counts.set(one.kind, count);
    (count <= 20 ? first : rest).push(one);
  }
  return [...first, ...rest];
}

/** @param kind in Markdown; all others are texts of others */
const row = (kind: string, ...cells: readonly string[]): string =>
  `| ${[kind, ...cells.map(shownInMarkdown)].join(' | ')} |`;
