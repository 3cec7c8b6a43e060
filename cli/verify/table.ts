import Table from 'cli-table3';
import pc from 'picocolors';
import type { WorkloadSummary } from '../../verification/report';
import type { UnlistedVault } from '../../verification/vaultInventory';
import { inventoryNotes, remedyFor } from './remedy';

/** What the table is made of. */
export interface VerificationView {
  stack: string;
  workloads: WorkloadSummary[];
  passed: number;
  failed: number;
  unlisted: UnlistedVault[];
}

/**
 * For people: one row a workload, then what failed, what is readable beyond what is named, what could not be
 * looked for, and what to do.
 */
export function renderVerification({ stack, workloads, passed, failed, unlisted }: VerificationView): string {
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
  const notes = inventoryNotes(unlisted);
  if (notes.length > 0) parts.push(notes.map((note) => `${pc.yellow('!')} ${note}`).join('\n'));
  parts.push(`${passed} checks passed, ${failed} failed`);
  const remedy = remedyFor(stack, workloads);
  if (remedy !== undefined) parts.push(`→ ${remedy}`);
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
