import pc from 'picocolors';
import { grantedName, isRole, secretsIn } from '../../stacks/plan/granted';
import type { VerifiedOutputs } from '../../verification/checks';
import type { Report, WorkloadSummary } from '../../verification/report';
import type { VerifyResult } from '../../verification/runner';
import { shownInLine } from '../shownOnTerminal';
import { fittedTable, terminalWidth } from '../fittedTable';
import { verifyHint } from './hint';

/** The data of the table. */
export interface VerificationView
  extends Pick<Report, 'passed' | 'failed'>, Pick<VerifyResult, 'hosted' | 'groups' | 'checks' | 'notes'> {
  stack: string;
  /** Cells of the environment; undefined without cells. */
  cells: VerifiedOutputs['cells'];
  workloads: WorkloadSummary[];
}

const workloadTitles = ['cluster', 'application', 'identity', 'secrets readable', 'verdict'];
const groupTitles = ['group', 'members', 'secrets', 'verdict'];
const hostedTitles = ['cluster', 'hosted cluster', 'identity', 'signs in by', 'verdict'];

/**
 * Renders the result of a verification as tables of workloads, of hosted clusters' identities and of groups. Below them are the
 * failed checks, the secrets that are readable without being named, notes, and the hint.
 *
 * @param terminal width of the terminal
 */
export function renderVerification(view: VerificationView, terminal = terminalWidth()): string {
  const { stack, cells, workloads, hosted, groups, passed, failed, checks, notes } = view;
  const rows = workloads.map((row) => {
    const { cluster, application, identity } = row.workload;
    return [cluster, application, identity.name, readable(row), verdict(row)];
  });
  const hostedRows = hosted.map(({ cluster, hostedCluster, component, identity, expiresOn, checks: own }) => {
    const failed = own.filter(({ ok }) => !ok);
    const way = expiresOn === undefined ? 'federation' : `certificate until ${expiresOn.slice(0, 10)}`;
    return [cluster, `${hostedCluster}/${component}`, identity, way, verdict({ failed, overreach: [] })];
  });
  const groupRows = groups.map(({ group: { name, members, grants }, checks: own }) => {
    const failed = own.filter(({ ok }) => !ok);
    const names = members.map((member) => member.name).join(', ');
    const secrets = grants.map((grant) => (isRole(grant) ? grantedName(grant) : grant.secret)).join(', ');
    const unknown = own.length === 0 ? pc.yellow('not listed') : undefined;
    return [name, names || 'none', secrets || 'none', unknown ?? verdict({ failed, overreach: [] })];
  });
  const failures = [...workloads.flatMap(({ failed: list }) => list), ...checks.filter(({ ok }) => !ok)].map(
    ({ cluster, application, check, detail }) =>
      `  ${pc.red('✗')} ${shownInLine(`${cluster}/${application}: ${check}: ${detail}`)}`,
  );
  const overreaches = workloads
    .filter(({ overreach }) => overreach.length > 0)
    .map(
      ({ workload: { cluster, application }, overreach }) =>
        `  ${pc.yellow('!')} ${shownInLine(`${cluster}/${application}: ${overreach.join(', ')}`)}`,
    );
  const hint = verifyHint(stack, cells, workloads);
  const parts = [
    [
      workloads.length > 0
        ? fittedTable(workloadTitles, rows, [2, 3, 1, 0], terminal)
        : `Stack ${stack} has no applications to verify.`,
    ],
    hosted.length > 0 ? [fittedTable(hostedTitles, hostedRows, [2, 3, 1, 0], terminal)] : [],
    groups.length > 0 ? [fittedTable(groupTitles, groupRows, [1, 2, 0], terminal)] : [],
    failures.length === 0 ? [] : ['Failed:', ...failures],
    overreaches.length === 0
      ? []
      : ['Readable without being named by the application (identity or vault shared):', ...overreaches],
    [...workloads.flatMap(workloadNotes), ...notes].map((note) => `${pc.yellow('!')} ${shownInLine(note)}`),
    [`${passed} checks passed, ${failed} failed`],
    hint === undefined ? [] : [`→ ${hint}`],
  ];
  const texts = parts.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${texts.join('\n\n')}\n`;
}

function readable({ workload, readable: secrets }: WorkloadSummary): string {
  if (workload.revoked === true) return 'none: revoked';
  const named = secretsIn(workload.grants);
  // Only its own pods get tokens, so nothing can be tried from here.
  const isOnlyForPods = workload.signIn === 'podIdentity' || workload.trust === 'identityBinding';
  if (isOnlyForPods && workload.credentialSecret === undefined)
    return `${named.length} named, read by its pods`;
  const count = `${secrets.length} of ${named.length}`;
  const shown = secrets.map((secret) => {
    const { group } = named.find((grant) => grant.secret === secret) ?? {};
    return group === undefined ? secret : `${secret} (group ${group})`;
  });
  return secrets.length === 0 ? count : `${count}: ${shown.join(', ')}`;
}

function workloadNotes({ workload: { cluster, application }, notes }: WorkloadSummary): string[] {
  return notes.map((note) => `${cluster}/${application}: ${note}`);
}

function verdict({ failed, overreach }: Pick<WorkloadSummary, 'failed' | 'overreach'>): string {
  if (failed.length > 0) return pc.red(`${failed.length} failed`);
  return overreach.length > 0 ? pc.yellow('ok, overreach') : pc.green('ok');
}
