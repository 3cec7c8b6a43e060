import pc from 'picocolors';
import { shownInLine } from '../shownOnTerminal';
import { firstFew } from '../../components/resource/firstFew';
import { fittedTable, terminalWidth } from '../fittedTable';
import type { AccessChange } from './changes';
import type { BindingEvent } from './podIdentityEvents';
import type { ReadBy } from './readers';
import type { SignIn } from './signIns';
import type { UnusedGrant } from './unused';

/** Requests with what allowed them. */
export interface AuditedRead extends ReadBy {
  readonly allowedBy: string;
  /** Sign-ins that the last request may belong to; absent without --sign-ins. */
  readonly signInCandidates?: readonly SignIn[];
}

const readTitles = ['last', 'times', 'who', 'operation', 'secret', 'result', 'by'];
const changeTitles = ['time', 'change', 'on', 'role', 'of', 'by'];
const unusedTitles = ['application', 'cluster', 'identity', 'secret', 'last read', 'remove'];

/** Formats a time without milliseconds. */
const shortTime = (time: Date): string => `${time.toISOString().slice(0, 19)}Z`;
const notesBelow = (notes: readonly string[]): string =>
  notes.map((note) => `\n${pc.yellow('!')} ${shownInLine(note)}\n`).join('');

/** @param terminal width of the terminal */
export function renderReads(
  stack: string,
  reads: readonly AuditedRead[],
  { since, events = [], notes }: { since: Date; events?: readonly BindingEvent[]; notes: readonly string[] },
  terminal = terminalWidth(),
): string {
  if (reads.length === 0) {
    return `The log has no matching request since ${since.toISOString()}.\n${eventLines(events)}${notesBelow(notes)}`;
  }
  const rows = reads.map((read) => [
    shortTime(read.last),
    String(read.times),
    callerOf(read),
    read.operation,
    read.secret === undefined ? read.vault : `${read.vault}/${read.secret}`,
    result(read.status),
    read.allowedBy || '–',
  ]);
  const foreign = new Set(reads.filter(({ reader }) => reader === undefined).map(({ objectId }) => objectId));
  const warning =
    foreign.size === 0
      ? ''
      : `\n${pc.red('✗')} ${foreign.size === 1 ? '1 reader is' : `${foreign.size} readers are`} not of stack ${stack}.\n`;
  return `${fittedTable(readTitles, rows, [2, 6, 4], terminal)}\n${warning}${signInLines(reads)}${eventLines(events)}${notesBelow(notes)}`;
}

/** Lines below the table on events of aad-pod-identity. */
function eventLines(events: readonly BindingEvent[]): string {
  if (events.length === 0) return '';
  const lines = events.map(
    ({ time, times, application, cluster, message }) =>
      `  ${shortTime(time)} ${shownInLine(`${application} on ${cluster}: ${message}`)}${times > 1 ? `, ${times} times` : ''}\n`,
  );
  return `\nEvents of aad-pod-identity:\n${lines.join('')}`;
}

/** Lines below the table on the sign-ins that each last request may belong to. */
function signInLines(reads: readonly AuditedRead[]): string {
  const lines = reads.flatMap((read) => {
    if (read.signInCandidates === undefined) return [];
    const { length, [0]: latest } = read.signInCandidates;
    const text =
      latest === undefined
        ? 'none'
        : `${length}, the latest at ${shortTime(latest.time)} from ${latest.address}${latest.federatedCredential && ` by federated credential ${latest.federatedCredential}`}`;
    return [
      shownInLine(
        `  ${shortTime(read.last)} ${read.operation} ${read.secret ?? ''} by ${read.objectId}: ${text}`,
      ),
    ];
  });
  if (lines.length === 0) return '';
  return `\nSign-ins that the last requests may belong to (candidates: Key Vault does not log the token's id):\n${lines.join('\n')}\n`;
}

/** Describes the caller of the requests. */
function callerOf({ reader, byVerification, user, identity, objectId, clientId, address }: ReadBy): string {
  if (reader !== undefined) {
    const text = `${reader.applications.join(', ')} on ${reader.cluster} (${reader.identity})`;
    return byVerification ? `aks-wi verify as ${text}` : text;
  }
  const name = user || identity.split('/').at(-1) || `application ${clientId}`;
  return pc.red(`not of the stack: ${name}, object id ${objectId}, from ${address}`);
}

function result(status: number): string {
  if (status === 401 || status === 403) return pc.red(`${status} refused`);
  return status < 300 ? 'allowed' : String(status);
}

/** @param terminal width of the terminal */
export function renderUnused(
  stack: string,
  unused: readonly UnusedGrant[],
  { days, notes }: { days: number; notes: readonly string[] },
  terminal = terminalWidth(),
): string {
  if (unused.length === 0) {
    return `No grant of stack ${stack} in the log was unused for ${days} days.\n${notesBelow(notes)}`;
  }
  const rows = unused.map(({ applications, cluster, identity, vault, secret, group, lastRead }) => [
    applications.join(', '),
    cluster,
    identity,
    `${vault}/${secret}`,
    lastRead === undefined ? 'never' : shortTime(lastRead),
    `${secret} from \`secrets\` of ${group === undefined ? applications.join(' and of ') : `the group ${group}`}`,
  ]);
  return `${fittedTable(unusedTitles, rows, [5, 2, 3], terminal)}\n${notesBelow(notes)}`;
}

/** @param terminal width of the terminal */
export function renderChanges(
  changes: readonly (AccessChange & { readonly roleName: string | undefined })[],
  { since, notes }: { since: Date; notes: readonly string[] },
  terminal = terminalWidth(),
): string {
  if (changes.length === 0) {
    return `The activity log has no matching change since ${since.toISOString()}.\n${notesBelow(notes)}`;
  }
  const rows = changes.map(({ time, change, description, ...assignment }) => [
    shortTime(time),
    description === undefined ? change : `${change}: ${description}`,
    placeOf(assignment),
    assignment.roleName ?? assignment.role ?? 'unknown',
    assignment.holder ?? assignment.principalId ?? `unknown: assignment ${assignment.assignment}`,
    assignment.by,
  ]);
  return `${fittedTable(changeTitles, rows, [4, 5, 3, 2, 1], terminal)}\n${notesBelow(notes)}`;
}

/** Names the secrets, the vault or the scope of a role assignment. */
function placeOf({
  vault,
  secret,
  named,
  scope,
}: Pick<AccessChange, 'vault' | 'secret' | 'named' | 'scope'>): string {
  if (vault === undefined) return scope;
  if (named !== undefined) return `${vault}: ${firstFew(named)}`;
  return secret === undefined ? vault : `${vault}/${secret}`;
}
