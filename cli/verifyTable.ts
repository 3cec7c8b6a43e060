import Table from 'cli-table3';
import pc from 'picocolors';
import type { WorkloadSummary } from '../verification';

/** For people: one row a workload, then what failed, then what is readable beyond what is named. */
export function renderVerification(workloads: WorkloadSummary[], passed: number, failed: number): string {
  const table = new Table({
    head: ['cluster', 'application', 'identity', 'secrets readable', 'verdict'],
    style: { head: pc.isColorSupported ? ['bold'] : [], border: [] },
  });
  for (const row of workloads) {
    table.push([row.cluster, row.application, row.identity, readable(row), verdict(row)]);
  }
  const parts = [table.toString()];
  const failures = workloads.flatMap(({ failed: list }) => list);
  if (failures.length > 0) {
    parts.push(
      [
        'Failed:',
        ...failures.map(
          ({ cluster, application, check, detail }) =>
            `  ${pc.red('✗')} ${cluster}/${application}: ${check}: ${detail}`,
        ),
      ].join('\n'),
    );
  }
  const over = workloads.filter(({ overreach }) => overreach.length > 0);
  if (over.length > 0) {
    parts.push(
      [
        'Readable beyond what the application names (identity or vault shared):',
        ...over.map(
          ({ cluster, application, overreach }) =>
            `  ${pc.yellow('!')} ${cluster}/${application}: ${overreach.join(', ')}`,
        ),
      ].join('\n'),
    );
  }
  parts.push(`${passed} checks passed, ${failed} failed`);
  return `${parts.join('\n\n')}\n`;
}

function readable(row: WorkloadSummary): string {
  const count = `${row.readable.length} of ${row.granted}`;
  return row.readable.length === 0 ? count : `${count}: ${row.readable.join(', ')}`;
}

function verdict({ failed, overreach }: WorkloadSummary): string {
  if (failed.length > 0) return pc.red(`${failed.length} failed`);
  return overreach.length > 0 ? pc.yellow('ok, overreach') : pc.green('ok');
}
