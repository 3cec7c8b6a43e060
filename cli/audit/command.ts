import { Command, InvalidArgumentError, Option } from 'commander';
import { userAgentPrefix } from '../../verification/access';
import { apiVersions } from '../../components/azure/resourceManager';
import { clock } from '../../stacks/settings/clock';
import type { Cloud } from '../../components/azure/clouds';
import { activityEvents, activityLogDays } from '../activityLog';
import { example } from '../example';
import { createAzureReader, readService, type AzureReader } from '../azureReader';
import { stackCloud } from '../azureTarget';
import { readStackOutputs, type DeployedOutputs } from '../stackOutputs';
import { UserError } from '../userError';
import { bindingEvents } from './podIdentityEvents';
import { allowedBy, appliedTo, assignmentsOn, roleNames } from './assignments';
import { changesIn, rolesOfStack } from './changes';
import { openLog, type LogWorkspace, type QueryLog } from './log';
import { isVerification, knownReaders, readBy, type ReadBy } from './readers';
import { requestsIn, requestsQuery, type SecretRequests } from './requests';
import { candidates, findSignIns } from './signIns';
import { select, type AuditFilter, type Selection } from './selection';
import { renderChanges, renderReads, renderUnused } from './table';
import { coverageNotes, unusedGrants, type UnusedGrant } from './unused';
import { print } from '../print';
import { inJson } from '../json';

interface AuditFlags extends AuditFilter {
  stack: string;
  since?: Date;
  signIns?: boolean;
  unused?: boolean;
  changes?: boolean;
  verification: boolean;
  days: number;
  json: boolean;
}

const day = 24 * 60 * 60 * 1000;
/** "At most 10 minutes" (azure-security-docs articles/key-vault/general/logging.md). */
const delay = 'A request appears in the log within 10 minutes.';

export function auditCommand(): Command {
  return new Command('audit')
    .requiredOption('--stack <name>', 'name of the stack')
    .option('--secret <name>', 'secret (<secret> or <vault>/<secret>; default: all)')
    .option('--application <name>', 'application (default: all)')
    .option('--identity <name>', 'identity (its name, client id or object id; default: all)')
    .option('--cluster <name>', 'cluster (of the requesting applications; default: all)')
    .addOption(
      new Option(
        '--since <time>',
        'start: a duration such as 12h or 7d, or an ISO 8601 time (default: 7d)',
      ).argParser(parseSince),
    )
    .option('--sign-ins', 'also show the sign-ins that each last request may belong to')
    .addOption(
      new Option('--unused', 'list unused grants instead; reads of the verification do not count').conflicts([
        'since',
        'signIns',
      ]),
    )
    .addOption(
      new Option(
        '--changes',
        'list instead who created and removed role assignments on the vaults, secrets and scopes of the stack',
      ).conflicts(['unused', 'signIns']),
    )
    .addOption(
      new Option('--verification', 'also show the requests of `aks-wi verify`')
        .default(false)
        .conflicts(['unused', 'changes']),
    )
    .addOption(
      new Option('--days <number>', 'with --unused: number of days without use')
        .default(30)
        .argParser(parseDays),
    )
    .option(
      '--json',
      'print JSON: {"reads":[…],"bindingEvents":[…],"notes":[…]}; "bindingEvents" only if aad-pod-identity has any; "unused" or "changes" instead of "reads"',
      false,
    )
    .addHelpText('after', example('audit --stack prod --secret orders-db --since 12h'))
    .action(async (flags: AuditFlags, command: Command) => {
      if (flags.unused !== true && command.getOptionValueSource('days') === 'cli') {
        command.error("error: option '--days <number>' needs option '--unused'");
      }
      await audit(flags);
    });
}

/** The inputs of the reports on reads and on unused grants. */
interface AuditSource {
  readonly now: Date;
  readonly outputs: DeployedOutputs;
  readonly selected: Selection;
  readonly azure: AzureReader;
  readonly workspace: LogWorkspace;
  readonly query: QueryLog;
  /** Resource ids. */
  readonly vaults: readonly string[];
}

async function audit(flags: AuditFlags): Promise<void> {
  const { stack: name } = flags;
  const now = clock(process.env);
  const stack = { name, cwd: process.cwd() };
  const outputs = await readStackOutputs(stack);
  const selected = select(outputs, flags);
  const vaults = selected.vaults.flatMap((vault) => outputs.vaults[vault]?.id ?? []);
  const cloud = await stackCloud(stack, process.env);
  // The activity log needs no workspace.
  if (flags.changes === true) return showChanges(cloud, { now, outputs, selected, vaults }, flags);
  const id = workspaceId(outputs, name);
  const azure = createAzureReader(cloud, process.env);
  const workspace = await workspaceOf(azure, id);
  const query = openLog(workspace, cloud, process.env);
  const source = { now, outputs, selected, azure, workspace, query, vaults };
  await (flags.unused === true ? showUnused(source, flags) : showReads(source, flags));
}

async function showReads(source: AuditSource, { stack, json, signIns: showSignIns, ...flags }: AuditFlags) {
  const { now, outputs, selected, azure, query, vaults } = source;
  const since = flags.since ?? new Date(now.getTime() - 7 * day);
  const notes = [delay];
  const note = (text: string) => notes.push(text);
  const requests = (await requestsSince(source, since, selected)).filter(
    ({ secret }) => selected.secret === undefined || secret?.toLowerCase() === selected.secret.toLowerCase(),
  );
  const allReads = readBy(requests, knownReaders(outputs));
  const shown = flags.verification ? allReads : allReads.filter((read) => !isVerification(read));
  const countOf = (reads: readonly ReadBy[]) => reads.reduce((sum, { times }) => sum + times, 0);
  const leftOut = countOf(allReads) - countOf(shown);
  if (leftOut > 0)
    note(
      `${leftOut} requests of the stack's identities with the user agent of \`aks-wi verify\` are left out. An application can also send it: --verification shows them.`,
    );
  const assignments = await assignmentsOn(azure, vaults, note);
  const roles = await roleNames(azure, appliedTo(shown, assignments));
  const signIns = showSignIns === true ? await findSignIns(query, requests, { since, now }, note) : undefined;
  const reads = shown.map((read) => ({
    ...read,
    allowedBy: allowedBy(read, assignments, roles, outputs.groups),
    ...(signIns && { signInCandidates: candidates(read, signIns) }),
  }));
  const events = await bindingEvents(outputs, selected.readers, since, note);
  printResult(json, { reads, ...(events.length > 0 && { bindingEvents: events }), notes }, () =>
    renderReads(stack, reads, { since, events, notes }),
  );
}

async function showUnused(source: AuditSource, { stack, json, days }: AuditFlags) {
  const { now, outputs, selected } = source;
  const { retentionInDays } = source.workspace;
  const daysAgo = (count: number) => new Date(now.getTime() - count * day);
  const since = daysAgo(days);
  // The whole log, to show when an unused grant was last used.
  const requests = await requestsSince(source, daysAgo(Math.max(days, retentionInDays)));
  const unused = unusedGrants(outputs.workloads, requests, since).filter((grant) =>
    isSelected(grant, selected),
  );
  const notes = [...coverageNotes(selected.vaults, requests, { since, now, retentionInDays }), delay];
  printResult(json, { unused, notes }, () => renderUnused(stack, unused, { days, notes }));
}

async function showChanges(
  cloud: Cloud,
  { now, outputs, selected, vaults }: Pick<AuditSource, 'now' | 'outputs' | 'selected' | 'vaults'>,
  { json, since = new Date(now.getTime() - 7 * day) }: AuditFlags,
) {
  if (now.getTime() - since.getTime() > activityLogDays * day) {
    throw new UserError(
      `--since is ${since.toISOString()}: Azure keeps the activity log for ${activityLogDays} days.`,
      `Allowed: up to ${activityLogDays}d.`,
    );
  }
  const notes = [
    'A change appears in the activity log after some minutes. Role assignments above the vaults and the scopes of the stack, those on management groups, and access policies are not shown.',
  ];
  const manager = readService(cloud, process.env, 'resourceManager');
  const filter = "resourceProvider eq 'Microsoft.Authorization'";
  const scopes = rolesOfStack(outputs).flatMap(({ scope }) =>
    /^\/subscriptions\//i.test(scope) ? scope : [],
  );
  const events = await activityEvents(manager, [...vaults, ...scopes], { since, now, filter });
  const changes = changesIn(events, outputs, selected);
  const assigned = changes.flatMap(({ role, scope }) => (role === undefined ? [] : { role, scope }));
  const roles = await roleNames(createAzureReader(cloud, process.env), assigned);
  const named = changes.map((change) => ({ ...change, roleName: roles.get(change.role ?? '') }));
  printResult(json, { changes: named, notes }, () => renderChanges(named, { since, notes }));
}

async function requestsSince(
  { query, workspace, vaults, selected, now }: AuditSource,
  since: Date,
  filter: Partial<Selection> = {},
): Promise<SecretRequests[]> {
  const rows = await query(requestsQuery({ ...filter, vaults }), since, now);
  if (rows === undefined) throw noTable(workspace, selected.vaults);
  return requestsIn(rows, userAgentPrefix);
}

const printResult = (json: boolean, value: object, render: () => string): void => {
  print(json ? inJson(value) : render());
};

/** Tells whether a grant matches the selection. */
const isSelected = ({ vault, secret, objectId }: UnusedGrant, selected: Selection): boolean =>
  selected.vaults.includes(vault) &&
  (selected.secret === undefined || selected.secret.toLowerCase() === secret.toLowerCase()) &&
  (selected.readers === undefined || selected.readers.includes(objectId.toLowerCase()));

function workspaceId({ logWorkspace, vaults }: DeployedOutputs, stack: string): string {
  if (Object.keys(vaults).length === 0) throw new UserError(`Stack ${stack} has no vault.`);
  if (logWorkspace !== undefined) return logWorkspace;
  throw new UserError(
    `Stack ${stack} does not send the audit logs of its vaults to a workspace.`,
    `Set \`logs: { workspace: { name: … } }\` in Pulumi.${stack}.yaml and run \`pulumi up --stack ${stack}\`. Earlier reads cannot be shown.`,
  );
}

async function workspaceOf(azure: AzureReader, id: string): Promise<LogWorkspace> {
  const workspace = await azure.get(id, apiVersions.workspaces);
  if (workspace === undefined) {
    throw new UserError(`Azure has no log workspace ${id}.`, 'Restore it with `pulumi up --refresh`.');
  }
  const { customerId, retentionInDays } = workspace.properties;
  return { id, customerId: String(customerId), retentionInDays: Number(retentionInDays ?? 30) };
}

function noTable({ id }: LogWorkspace, vaults: readonly string[]): UserError {
  return new UserError(
    `The log workspace ${id.split('/').at(-1) ?? ''} has no table AZKVAuditLogs: it has logged no request to ${vaults.join(', ')} yet.`,
    'The first request takes some minutes to appear. An existing vault needs its own diagnostic setting with the category group `audit`, this workspace, and the destination table "Resource specific".',
  );
}

/** Exported for tests. */
export function parseSince(text: string): Date {
  const now = clock(process.env);
  const [, count, unit = ''] = /^(\d+)([mhd])$/.exec(text) ?? [];
  const minutes = { m: 1, h: 60, d: 24 * 60 }[unit];
  const since =
    minutes === undefined
      ? new Date(isTime.test(text) ? text : Number.NaN)
      : new Date(now.getTime() - Number(count) * minutes * 60_000);
  if (!Number.isNaN(since.getTime()) && since < now) return since;
  throw new InvalidArgumentError(
    'Expected a duration such as 30m, 12h or 7d, or a time in the past such as 2027-01-31T12:00:00Z.',
  );
}

const isTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

function parseDays(text: string): number {
  const days = Number(text);
  if (Number.isInteger(days) && days >= 1 && days <= 730) return days;
  throw new InvalidArgumentError('Expected a number of days from 1 to 730.');
}
