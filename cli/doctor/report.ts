import pc from 'picocolors';
import { shownInLine } from '../shownOnTerminal';
import type { KnownFailure } from './failures';
import type { Finding } from './finding';

const marks = { ok: pc.green('✓'), warning: pc.yellow('!'), failed: pc.red('✗') };

/** Renders findings, one a line, with what to do below each that is not in order. */
export function renderFindings(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ check, state, detail, hint }) => [
    `${marks[state]} ${shownInLine(`${check}: ${detail}`)}`,
    ...(hint === undefined ? [] : [`    → ${shownInLine(hint)}`]),
  ]);
  const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length;
  return [
    ...lines,
    `${count('ok')} in order, ${count('warning')} warnings, ${count('failed')} failed`,
    '',
  ].join('\n');
}

/** Renders known failures with their causes and hints. */
export function renderKnown(known: readonly KnownFailure[]): string {
  return known
    .map(({ failure, cause, hint }) => `${pc.bold(failure)}\n  cause: ${cause}\n  → ${hint}\n`)
    .join('\n');
}
