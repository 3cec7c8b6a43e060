import { stripVTControlCharacters } from 'node:util';
import Table from 'cli-table3';
import pc from 'picocolors';
import { linesOfWords } from './brokenLines';
import { shownInLine } from './shownOnTerminal';

/** Returns the width of the terminal; unlimited for output to a pipe or a file. */
export function terminalWidth(): number {
  return process.stdout.isTTY ? process.stdout.columns || 80 : Infinity;
}

/**
 * Renders a table that fits into the terminal as far as possible without breaking names. In a column with a set width,
 * cli-table3 would cut off a longer name, so the texts are wrapped before.
 *
 * @param breakable columns with texts that may be wrapped, in the order of narrowing
 * @param terminal width of the terminal
 */
export function fittedTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  breakable: readonly number[],
  terminal = terminalWidth(),
): string {
  // Left to cli-table3, the style would follow the rules of another library, which has no colors in CI.
  const table = new Table({ head: titles.map(pc.bold), style: { head: [], border: [] } });
  const cells = rows.map((row) => row.map(shownInLine));
  table.push(...wrapped(titles, cells, breakable, terminal));
  return table.toString();
}

function wrapped(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  breakable: readonly number[],
  terminal: number,
): string[][] {
  const longest = (column: number, separator?: string): number =>
    Math.max(
      ...[titles, ...rows.map((row) => row.map((text) => stripVTControlCharacters(text)))]
        .flatMap((row) =>
          separator === undefined ? [row[column] ?? ''] : (row[column] ?? '').split(separator),
        )
        .map(({ length }) => length),
    );
  const widths = titles.map((_, column) => longest(column));
  for (const column of breakable) {
    // Each column has a border and two spaces.
    const excess = widths.reduce((sum, width) => sum + width + 3, 1) - terminal;
    const width = widths[column] ?? 0;
    if (excess > 0) widths[column] = Math.max(longest(column, ' '), width - excess);
  }
  return rows.map((row) =>
    row.map((text, column) =>
      breakable.includes(column) ? linesOfWords(text, widths[column] ?? 0).join('\n') : text,
    ),
  );
}
