import Table from 'cli-table3';
import pc from 'picocolors';
import type { Report, WorkloadSummary } from '../../verification/report';
import type { VerifyResult } from '../../verification/runner';
import { inventoryNotes, verifyRemedy } from './remedy';

/** What the table is made of. */
export interface VerificationView
  extends Pick<Report, 'passed' | 'failed'>, Pick<VerifyResult, 'unlisted' | 'trusts' | 'grants'> {
  stack: string;
  workloads: WorkloadSummary[];
}

/**
 * The result of a verification as a table with a row for each workload. Below it: the failed checks, the secrets that are
 * readable without being named, the vaults that could not be listed, and the remedy.
 */
export function renderVerification(view: VerificationView): string {
  const { stack, workloads, passed, failed, trusts, grants } = view;
  const table = new Table({
    head: ['cluster', 'application', 'identity', 'secrets readable', 'verdict'],
    style: { head: pc.isColorSupported ? ['bold'] : [], border: [] },
  });
  for (const row of workloads) {
    const { cluster, application, identity } = row.workload;
    table.push([cluster, application, identity.name, readable(row), verdict(row)]);
  }
  const failures = [
    ...workloads.flatMap(({ failed: list }) => list),
    ...[...trusts.checks, ...grants.checks].filter(({ ok }) => !ok),
  ].map(
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
    inventoryNotes(view).map((note) => `${pc.yellow('!')} ${note}`),
    [`${passed} checks passed, ${failed} failed`],
    remedy === undefined ? [] : [`→ ${remedy}`],
  ];
  const texts = parts.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${texts.join('\n\n')}\n`;
}

function readable({ workload, readable: secrets }: WorkloadSummary): string {
  const count = `${secrets.length} of ${workload.grants.length}`;
  return secrets.length === 0 ? count : `${count}: ${secrets.join(', ')}`;
}

function verdict({ failed, overreach }: WorkloadSummary): string {
  if (failed.length > 0) return pc.red(`${failed.length} failed`);
  return overreach.length > 0 ? pc.yellow('ok, overreach') : pc.green('ok');
}
