import { stripVTControlCharacters } from 'node:util';
import Table from 'cli-table3';
import pc from 'picocolors';
import type { Report, WorkloadSummary } from '../../verification/report';
import type { VerifyResult } from '../../verification/runner';
import { verifyRemedy } from './remedy';

/** What the table is made of. */
export interface VerificationView
  extends Pick<Report, 'passed' | 'failed'>, Pick<VerifyResult, 'checks' | 'notes'> {
  stack: string;
  workloads: WorkloadSummary[];
}

const titles = ['cluster', 'application', 'identity', 'secrets readable', 'verdict'];

/**
 * The result of a verification as a table with a row for each workload. Below it: the failed checks, the secrets that are
 * readable without being named, what else is to be known, and the remedy.
 *
 * @param terminal width of the terminal, into which the table is to fit
 */
export function renderVerification(view: VerificationView, terminal = process.stdout.columns || 80): string {
  const { stack, workloads, passed, failed, checks, notes } = view;
  const table = new Table({
    head: titles,
    style: { head: pc.isColorSupported ? ['bold'] : [], border: [] },
  });
  const rows = workloads.map((row) => {
    const { cluster, application, identity } = row.workload;
    return [cluster, application, identity.name, readable(row), verdict(row)];
  });
  table.push(...wrapped(rows, terminal));
  const failures = [...workloads.flatMap(({ failed: list }) => list), ...checks.filter(({ ok }) => !ok)].map(
    ({ cluster, application, check, detail }) =>
      `  ${pc.red('✗')} ${cluster}/${application}: ${check}: ${detail}`,
  );
  const over = workloads
    .filter(({ overreach }) => overreach.length > 0)
    .map(
      ({ workload: { cluster, application }, overreach }) =>
        `  ${pc.yellow('!')} ${cluster}/${application}: ${overreach.join(', ')}`,
    );
  const remedy = verifyRemedy(stack, workloads);
  const parts = [
    [
      workloads.length > 0
        ? table.toString()
        : `Stack ${stack} has no applications whose access could be verified.`,
    ],
    failures.length === 0 ? [] : ['Failed:', ...failures],
    over.length === 0
      ? []
      : ['Readable beyond what the application names (identity or vault shared):', ...over],
    [...workloads.flatMap(workloadNotes), ...notes].map((note) => `${pc.yellow('!')} ${note}`),
    [`${passed} checks passed, ${failed} failed`],
    remedy === undefined ? [] : [`→ ${remedy}`],
  ];
  const texts = parts.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${texts.join('\n\n')}\n`;
}

/** The rows with the texts of the first four columns in lines, as short as the terminal needs. */
function wrapped(rows: string[][], terminal: number): string[][] {
  const longest = (column: number, separator?: string): number =>
    Math.max(
      ...[titles, ...rows.map((row) => row.map((text) => stripVTControlCharacters(text)))]
        .flatMap((row) =>
          separator === undefined ? [row[column] ?? ''] : (row[column] ?? '').split(separator),
        )
        .map(({ length }) => length),
    );
  const widths = titles.map((_, column) => longest(column));
  // First between words, then within names.
  for (const least of [(column: number) => longest(column, ' '), () => 12]) {
    for (const column of [2, 3, 1, 0]) {
      // Each column has a border and two blanks.
      const excess = widths.reduce((sum, width) => sum + width + 3, 1) - terminal;
      const width = widths[column] ?? 0;
      if (excess > 0 && width > least(column)) widths[column] = Math.max(least(column), width - excess);
    }
  }
  return rows.map((row) => row.map((text, column) => (column < 4 ? lines(text, widths[column] ?? 0) : text)));
}

/** A text in lines of at most this width, broken after blanks, and in longer words after hyphens. */
function lines(text: string, width: number): string {
  const parts = text
    .split(/(?<= )/)
    .flatMap((word) => (word.trimEnd().length > width ? word.split(/(?<=-)/) : [word]));
  const broken: string[] = [];
  for (const part of parts) {
    const line = broken.at(-1);
    if (line !== undefined && (line + part).trimEnd().length <= width) broken.splice(-1, 1, line + part);
    else broken.push(part);
  }
  return broken.map((line) => line.trimEnd()).join('\n');
}

function readable({ workload, readable: secrets }: WorkloadSummary): string {
  const count = `${secrets.length} of ${workload.grants.length}`;
  return secrets.length === 0 ? count : `${count}: ${secrets.join(', ')}`;
}

function workloadNotes({ workload: { cluster, application }, notes }: WorkloadSummary): string[] {
  return notes.map((note) => `${cluster}/${application}: ${note}`);
}

function verdict({ failed, overreach }: WorkloadSummary): string {
  if (failed.length > 0) return pc.red(`${failed.length} failed`);
  return overreach.length > 0 ? pc.yellow('ok, overreach') : pc.green('ok');
}
