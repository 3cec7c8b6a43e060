import { Command, InvalidArgumentError, Option } from 'commander';
import { userAgentPrefix } from '../../verification/access';
import { apiVersions, clock, type Cloud } from '../../stacks/offline';
import { activityEvents, activityLogDays } from '../activityLog';
import { createAzureReader, readService, type AzureReader } from '../azureReader';
import { stackCloud } from '../azureTarget';
import { readStackOutputs, type DeployedOutputs } from '../stackOutputs';
import { VisibleError } from '../visibleError';
import { bindingEvents } from './bindingEvents';
import { allowedBy, appliedTo, assignmentsOn, roleNames } from './assignments';
import { changesIn, rolesOfStack } from './changes';
import { openLog, type LogWorkspace, type QueryLog } from './log';
import { isVerification, knownReaders, readBy } from './readers';
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
/** By "at most 10 minutes" after a request, its row is in the log (azure-security-docs articles/key-vault/general/logging.md). */
const delay = 'A request is in the log after up to 10 minutes.';

export function auditCommand(): Command {
  return new Command('audit')
    .description(
      'show who read which secrets of a deployed stack, when, and by which grant; which grants nobody used; and who gave and removed access',
    )
    .requiredOption('--stack <name>', 'stack whose vaults are looked at')
    .option('--secret <name>', 'only this secret, <secret> or <vault>/<secret>')
    .option('--application <name>', 'only what this application asked for')
    .option('--identity <name>', 'only what this identity asked for: its name, client id or object id')
    .option('--cluster <name>', 'only what applications on this cluster asked for')
    .addOption(
      new Option(
        '--since <time>',
        'from when on: a duration such as 12h or 7d, or a time of ISO 8601 (default: 7d)',
      ).argParser(parseSince),
    )
    .option('--sign-ins', 'also show the sign-ins that each last request may belong to')
    .addOption(
      new Option(
        '--unused',
        'list instead the grants that nobody used, without what the verification reads',
      ).conflicts(['since', 'signIns']),
    )
    .addOption(
      new Option(
        '--changes',
        'list instead which role assignments were made and removed on the vaults and secrets, and on what roles of the stack are on, and by whom',
      ).conflicts(['unused', 'signIns']),
    )
    .addOption(
      new Option('--verification', 'also show what `aks-wi verify` asked for')
        .default(false)
        .conflicts(['unused', 'changes']),
    )
    .addOption(
      new Option('--days <number>', 'with --unused: for how many days').default(30).argParser(parseDays),
    )
    .option(
      '--json',
      'print {"reads":[…],"bindingEvents":[…],"notes":[…]}, the events if aad-pod-identity has any; or "unused", or "changes" in place of "reads"',
      false,
    )
    .action(async (flags: AuditFlags, command: Command) => {
      if (flags.unused !== true && command.getOptionValueSource('days') === 'cli') {
        command.error("error: option '--days <number>' needs option '--unused'");
      }
      await audit(flags);
    });
}

/** What both answers are made from. */
interface Opened {
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
  // The activity log is Azure's own.
  if (flags.changes === true) return showChanges(cloud, { now, outputs, selected, vaults }, flags);
  const id = workspaceId(outputs, name);
  const azure = createAzureReader(cloud, process.env);
  const workspace = await workspaceOf(azure, id);
  const query = openLog(workspace, cloud, process.env);
  const opened = { now, outputs, selected, azure, workspace, query, vaults };
  await (flags.unused === true ? showUnused(opened, flags) : showReads(opened, flags));
}

async function showReads(opened: Opened, { stack, json, signIns: wanted, ...flags }: AuditFlags) {
  const { now, outputs, selected, azure, query, vaults } = opened;
  const since = flags.since ?? new Date(now.getTime() - 7 * day);
  const notes = [delay];
  const note = (text: string) => notes.push(text);
  const requests = (await requestsSince(opened, since, selected)).filter(
    ({ secret }) => selected.secret === undefined || secret?.toLowerCase() === selected.secret.toLowerCase(),
  );
  const all = readBy(requests, knownReaders(outputs));
  const by = flags.verification ? all : all.filter((one) => !isVerification(one));
  const left = all.reduce((sum, { times }) => sum + times, 0) - by.reduce((sum, { times }) => sum + times, 0);
  if (left > 0)
    note(
      `${left} requests of identities of the stack are left out, which came with the user agent of \`aks-wi verify\`. An application can send it as well: --verification shows them.`,
    );
  const assignments = await assignmentsOn(azure, vaults, note);
  const roles = await roleNames(azure, appliedTo(by, assignments));
  const signIns = wanted === true ? await findSignIns(query, requests, { since, now }, note) : undefined;
  const reads = by.map((read) => ({
    ...read,
    allowedBy: allowedBy(read, assignments, roles, outputs.groups),
    ...(signIns && { signInCandidates: candidates(read, signIns) }),
  }));
  const events = await bindingEvents(outputs, selected.readers, since, note);
  answer(json, { reads, ...(events.length > 0 && { bindingEvents: events }), notes }, () =>
    renderReads(stack, reads, { since, events, notes }),
  );
}

async function showUnused(opened: Opened, { stack, json, days }: AuditFlags) {
  const { now, outputs, selected } = opened;
  const { retentionInDays } = opened.workspace;
  const before = (count: number) => new Date(now.getTime() - count * day);
  const since = before(days);
  // Everything that is kept: a grant that was not used lately may have been used before.
  const requests = await requestsSince(opened, before(Math.max(days, retentionInDays)));
  const unused = unusedGrants(outputs.workloads, requests, since).filter((one) => isSelected(one, selected));
  const notes = [...coverageNotes(selected.vaults, requests, { since, now, retentionInDays }), delay];
  answer(json, { unused, notes }, () => renderUnused(stack, unused, { days, notes }));
}

async function showChanges(
  cloud: Cloud,
  { now, outputs, selected, vaults }: Pick<Opened, 'now' | 'outputs' | 'selected' | 'vaults'>,
  { json, since = new Date(now.getTime() - 7 * day) }: AuditFlags,
) {
  if (now.getTime() - since.getTime() > activityLogDays * day) {
    throw new VisibleError(
      `--since is ${since.toISOString()}: Azure keeps the activity log for ${activityLogDays} days.`,
      `Allowed: up to ${activityLogDays}d.`,
    );
  }
  const notes = [
    'A change is in the activity log after some minutes. Role assignments above the vaults and above what roles of the stack are on, those on management groups, and access policies are not shown.',
  ];
  const manager = readService(cloud, process.env, 'resourceManager');
  const filter = "resourceProvider eq 'Microsoft.Authorization'";
  const scopes = rolesOfStack(outputs).flatMap(({ scope }) =>
    /^\/subscriptions\//i.test(scope) ? scope : [],
  );
  const events = await activityEvents(manager, [...vaults, ...scopes], { since, now, filter });
  const changes = changesIn(events, outputs, selected);
  const ofRoles = changes.flatMap(({ role, scope }) => (role === undefined ? [] : { role, scope }));
  const roles = await roleNames(createAzureReader(cloud, process.env), ofRoles);
  const named = changes.map((one) => ({ ...one, roleName: roles.get(one.role ?? '') }));
  answer(json, { changes: named, notes }, () => renderChanges(named, { since, notes }));
}

async function requestsSince(
  { query, workspace, vaults, selected, now }: Opened,
  since: Date,
  filter: Partial<Selection> = {},
): Promise<SecretRequests[]> {
  const rows = await query(requestsQuery({ ...filter, vaults }), since, now);
  if (rows === undefined) throw noTable(workspace, selected.vaults);
  return requestsIn(rows, userAgentPrefix);
}

const answer = (json: boolean, value: object, render: () => string): void => {
  print(json ? inJson(value) : render());
};

/** Whether a grant is among what is asked for. */
const isSelected = ({ vault, secret, objectId }: UnusedGrant, selected: Selection): boolean =>
  selected.vaults.includes(vault) &&
  (selected.secret === undefined || selected.secret.toLowerCase() === secret.toLowerCase()) &&
  (selected.readers === undefined || selected.readers.includes(objectId.toLowerCase()));

function workspaceId({ logWorkspace, vaults }: DeployedOutputs, stack: string): string {
  if (Object.keys(vaults).length === 0) throw new VisibleError(`Stack ${stack} has no vault.`);
  if (logWorkspace !== undefined) return logWorkspace;
  throw new VisibleError(
    `Stack ${stack} sends the audit logs of its vaults nowhere.`,
    `Set \`logs: { workspace: { name: … } }\` in Pulumi.${stack}.yaml and run \`pulumi up --stack ${stack}\`: what was read before cannot be shown later.`,
  );
}

async function workspaceOf(azure: AzureReader, id: string): Promise<LogWorkspace> {
  const found = await azure.get(id, apiVersions.workspaces);
  if (found === undefined) {
    throw new VisibleError(`Azure has no log workspace ${id}.`, 'Restore it with `pulumi up --refresh`.');
  }
  const { customerId, retentionInDays } = found.properties;
  return { id, customerId: String(customerId), retentionInDays: Number(retentionInDays ?? 30) };
}

function noTable({ id }: LogWorkspace, vaults: readonly string[]): VisibleError {
  return new VisibleError(
    `The log workspace ${id.split('/').at(-1) ?? ''} has no table AZKVAuditLogs: no request to ${vaults.join(', ')} has been logged in it yet.`,
    'The first takes some minutes. An existing vault needs a diagnostic setting of its own with the category group `audit`, this workspace, and the destination table "Resource specific".',
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
  throw new InvalidArgumentError('Expected a number of days, 1 to 730.');
}
