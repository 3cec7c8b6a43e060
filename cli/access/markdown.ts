import type { AccessDifference } from '../../stacks/access/difference';
import { countChanges, describeCompared, firstFew, readable } from '../../stacks/offline';
import { fittingComment } from '../comment';
import { nothingElse, sidesOf, whatOf } from './words';

/** The first line of the comment, by which a pipeline finds the one to update. */
export const markerOf = (environment: string): string => `<!-- aks-wi access ${environment} -->`;

/** Kinds that a reviewer must not miss. */
const strong: readonly string[] = ['gained', 'widened', 'not judged'];

/** A comparison as a comment for a pull request. */
export function differenceInMarkdown(difference: AccessDifference): string {
  const { changes, after } = difference;
  const head = [
    markerOf(after),
    `### Who can use what: ${after}`,
    '',
    ...sidesOf(difference).flatMap((one) => [one, '']),
  ];
  if (changes.length === 0) return [...head, `${nothingElse} ${describeCompared(difference)}`, ''].join('\n');
  const rows = fittingComment(
    changes.map((one) =>
      row([
        strong.includes(one.kind) ? `**${one.kind}**` : one.kind,
        one.who.length > 3 ? `${one.who.length}: ${firstFew(one.who)}` : one.who.join(', '),
        firstFew(one.identities),
        whatOf(one),
        readable(one.why),
      ]),
    ),
  );
  const left = changes.length - rows.length;
  return [
    ...head,
    `${countChanges(difference)}. ${describeCompared(difference)}`,
    '',
    row(['change', 'who', 'identity', 'what', 'because']),
    row(['---', '---', '---', '---', '---']),
    ...rows,
    ...(left > 0 ? ['', `and ${left} more; \`aks-wi access --diff\` shows all.`] : []),
    '',
  ].join('\n');
}

const row = (cells: readonly string[]): string =>
  `| ${cells.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`;
