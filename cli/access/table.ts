import pc from 'picocolors';
import type { AccessDifference } from '../../stacks/access/difference';
import type { Access } from '../../stacks/access/reach';
import { countChanges, describeCompared } from '../../stacks/access/difference';
import { rowsOf } from '../../stacks/access/rows';
import { fittedTable } from '../fittedTable';
import { cellsOf, columns, listed, sidesOf, unchanged } from './words';

const titles = ['cluster', 'who', 'service accounts', 'identity', 'what', 'because'];

export function renderAccess(access: Access): string {
  const accessRows = rowsOf(access);
  if (accessRows.length === 0) return `Nobody can use anything in ${access.environment}.\n`;
  const rows = accessRows.map((row) => [
    row.cluster || '–',
    row.reader,
    row.subjects.join(', '),
    row.identity,
    listed(row),
    row.overreach > 0 ? pc.yellow(row.because) : row.because,
  ]);
  const over = accessRows.reduce((sum, { overreach }) => sum + overreach, 0);
  const warning = over === 0 ? '' : `\n${pc.yellow('!')} ${over} can be used without being named.\n`;
  return `${fittedTable(titles, rows, [4, 5, 2, 3, 1])}\n${warning}`;
}

const signs = {
  gained: pc.red('+ gained'),
  'not judged': pc.red('? not judged'),
  widened: pc.yellow('~ widened'),
  replaced: pc.cyan('= replaced'),
  narrowed: pc.green('~ narrowed'),
  lost: pc.green('- lost'),
};

export function renderDifference(difference: AccessDifference): string {
  const { changes } = difference;
  const sides = sidesOf(difference).map((side) => `${side}\n\n`);
  const compared = describeCompared(difference);
  if (changes.length === 0) return `${sides.join('')}${unchanged(difference)}\n${compared}\n`;
  const rows = changes.map((change) => [signs[change.kind], ...cellsOf(change)]);
  const table = fittedTable(columns, rows, [4, 3, 1, 2]);
  return `${sides.join('')}${table}\n\n${countChanges(difference)}\n${compared}\n`;
}
