import pc from 'picocolors';
import { shownInLine } from '../shownOnTerminal';
import { fittedTable, terminalWidth } from '../fittedTable';
import type { AccessChange } from './changes';
import type { BindingEvent } from './bindingEvents';
import type { ReadBy } from './readers';
import type { SignIn } from './signIns';
import type { UnusedGrant } from './unused';

/** Requests, and by what each was allowed. */
export interface AuditedRead extends ReadBy {
  readonly allowedBy: string;
  /** Sign-ins that the last request may belong to; absent if they were not asked for. */
  readonly signInCandidates?: readonly SignIn[];
}

const readTitles = ['last', 'times', 'who', 'operation', 'secret', 'result', 'by'];
const changeTitles = ['time', 'change', 'on', 'role', 'of', 'by'];
const unusedTitles = ['application', 'cluster', 'identity', 'secret', 'last read', 'remove'];

/** Milliseconds are in the JSON. */
const shortTime = (time: Date): string => `${time.toISOString().slice(0, 19)}Z`;
const notesBelow = (notes: readonly string[]): string =>
  notes.map((note) => `\n${pc.yellow('!')} ${shownInLine(note)}\n`).join('');

/** @param terminal width of the terminal, into which the table is to fit */
export function renderReads(
  stack: string,
  reads: readonly AuditedRead[],
  { since, events = [], notes }: { since: Date; events?: readonly BindingEvent[]; notes: readonly string[] },
  terminal = terminalWidth(),
): string {
  if (reads.length === 0) {
    return `The log has no such request since ${since.toISOString()}.\n${eventLines(events)}${notesBelow(notes)}`;
  }
  const rows = reads.map((read) => [
    shortTime(read.last),
    String(read.times),
    who(read),
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

/** Under the table: what aad-pod-identity did. */
function eventLines(events: readonly BindingEvent[]): string {
  if (events.length === 0) return '';
  const lines = events.map(
    ({ time, times, application, cluster, message }) =>
      `  ${shortTime(time)} ${shownInLine(`${application} on ${cluster}: ${message}`)}${times > 1 ? `, ${times} times` : ''}\n`,
  );
  return `\nEvents of aad-pod-identity:\n${lines.join('')}`;
}

/** Under the table: to which sign-ins each last request may belong. */
function signInLines(reads: readonly AuditedRead[]): string {
  const lines = reads.flatMap((read) => {
    if (read.signInCandidates === undefined) return [];
    const { length, [0]: latest } = read.signInCandidates;
    const found =
      latest === undefined
        ? 'none'
        : `${length}, the latest at ${shortTime(latest.time)} from ${latest.address}${latest.federatedCredential && ` by federated credential ${latest.federatedCredential}`}`;
    return [
      shownInLine(
        `  ${shortTime(read.last)} ${read.operation} ${read.secret ?? ''} by ${read.objectId}: ${found}`,
      ),
    ];
  });
  if (lines.length === 0) return '';
  return `\nSign-ins that the last requests may belong to (candidates: Key Vault does not log which token it was):\n${lines.join('\n')}\n`;
}

/** Who made the requests, in few words. */
function who({ reader, byVerification, user, identity, objectId, clientId, address }: ReadBy): string {
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

/** @param terminal width of the terminal, into which the table is to fit */
export function renderUnused(
  stack: string,
  unused: readonly UnusedGrant[],
  { days, notes }: { days: number; notes: readonly string[] },
  terminal = terminalWidth(),
): string {
  if (unused.length === 0) {
    return `No grant of stack ${stack} that the log tells of was unused for ${days} days.\n${notesBelow(notes)}`;
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

/** @param terminal width of the terminal, into which the table is to fit */
export function renderChanges(
  changes: readonly (AccessChange & { readonly roleName: string | undefined })[],
  { since, notes }: { since: Date; notes: readonly string[] },
  terminal = terminalWidth(),
): string {
  if (changes.length === 0) {
    return `The activity log has no such change since ${since.toISOString()}.\n${notesBelow(notes)}`;
  }
  const rows = changes.map((one) => [
    shortTime(one.time),
    one.description === undefined ? one.change : `${one.change}: ${one.description}`,
    one.vault === undefined ? one.scope : one.secret === undefined ? one.vault : `${one.vault}/${one.secret}`,
    one.roleName ?? one.role ?? 'not known',
    one.holder ?? one.principalId ?? `not known: assignment ${one.assignment}`,
    one.by,
  ]);
  return `${fittedTable(changeTitles, rows, [4, 5, 3, 2, 1], terminal)}\n${notesBelow(notes)}`;
}
