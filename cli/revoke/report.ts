import pc from 'picocolors';
import type { VerifiedOutputs } from '../../verification/checks';
import type { Access, Failure } from './access';
import type { Target } from './targets';

/** The access by identity, a line each. */
export function renderAccess(access: readonly Access[], verb: string): string {
  const identities = [...new Set(access.map(({ identity }) => identity))];
  return identities
    .map((name) => {
      const lines = access
        .filter(({ identity }) => identity === name)
        .map(({ kind, what }) => `  ${verb}  ${kind.padEnd('federated credential'.length)}  ${what}\n`);
      return `${pc.bold(name)}\n${lines.join('')}`;
    })
    .join('');
}

export function renderFailures(failures: readonly Failure[]): string {
  return failures
    .map(({ what, reason, command }) => `${pc.red('✗')} ${what}: ${reason}\n  → ${command}\n`)
    .join('');
}

/** What a revocation does not end, a sentence each. */
export function notesOf({ dependencies }: VerifiedOutputs, targets: readonly Target[]): string[] {
  const shared = targets.filter(({ others, revoked }) => others.length > 0 && revoked.length > 0);
  const services = dependencies.filter(
    ({ application, kind, connection }) =>
      (connection !== 'identity' || !['storageAccount', 'serviceBus'].includes(kind)) &&
      targets.some(({ revoked }) => revoked.some((one) => one.application === application)),
  );
  return [
    "Tokens that were issued before stay valid for up to 24 hours. They read nothing where the grant was the identity's own (Azure takes up to 10 minutes); what a group gives ends with the token.",
    ...shared.map(
      ({ name, revoked, others }) =>
        `${applicationsOf(revoked)} had ${name} in common with ${applicationsOf(others)}: its tokens read what these read until they end.`,
    ),
    ...(services.length === 0
      ? []
      : [
          `Keys, and the access that these services have of their own, are not taken: ${services.map(({ application, name, kind }) => `${application}/${name} (${kind})`).join(', ')}.`,
        ]),
    'What was read is known: write new values of the secrets.',
  ];
}

function applicationsOf(workloads: Target['revoked']): string {
  return [...new Set(workloads.map(({ application }) => application))].join(', ');
}
