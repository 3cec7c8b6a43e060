import type { AccessDifference } from '../../stacks/access/difference';
import { countChanges, describeCompared, firstFew, readable } from '../../stacks/offline';
import { fittingComment } from '../comment';
import { shownInMarkdown } from '../shownInMarkdown';
import { nothingElse, sidesOf, whatOf, whoOf } from './words';

/** The first line of the comment, by which a pipeline finds the one to update. */
export const markerOf = (environment: string): string =>
  `<!-- aks-wi access ${environment.replace(/[^\w.-]/g, '_')} -->`;

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
  if (changes.length === 0) return [...head, `${nothingElse} ${describeCompared(difference)}`, ''].join('\n');
  const rows = fittingComment(
    changes.map((one) =>
      row(
        strong.includes(one.kind) ? `**${one.kind}**` : one.kind,
        whoOf(one),
        firstFew(one.identities),
        whatOf(one),
        readable(one.why),
      ),
    ),
  );
  const left = changes.length - rows.length;
  return [
    ...head,
    `${countChanges(difference)}. ${describeCompared(difference)}`,
    '',
    row('change', 'who', 'identity', 'what', 'because'),
    '| --- | --- | --- | --- | --- |',
    ...rows,
    ...(left > 0 ? ['', `and ${left} more; \`aks-wi access --diff\` shows all.`] : []),
    '',
  ].join('\n');
}

/** @param kind in Markdown; all others are texts of others */
const row = (kind: string, ...cells: readonly string[]): string =>
  `| ${[kind, ...cells.map(shownInMarkdown)].join(' | ')} |`;
