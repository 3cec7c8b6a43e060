import pc from 'picocolors';
import type { VerifiedOutputs } from '../../verification/checks';
import { shownInLine } from '../shownOnTerminal';
import type { Access, Failure } from './access';
import type { Revocation, Target } from './targets';

/** The access by identity, a line each. */
export function renderAccess(access: readonly Access[], verb: string): string {
  const identities = [...new Set(access.map(({ identity }) => identity))];
  return identities
    .map((name) => {
      const lines = access
        .filter(({ identity }) => identity === name)
        .map(
          ({ kind, what }) =>
            `  ${verb}  ${kind.padEnd('federated credential'.length)}  ${shownInLine(what)}\n`,
        );
      return `${pc.bold(shownInLine(name))}\n${lines.join('')}`;
    })
    .join('');
}

export function renderFailures(failures: readonly Failure[]): string {
  return failures
    .map(
      ({ what, reason, command }) =>
        `${pc.red('✗')} ${shownInLine(`${what}: ${reason}`)}\n  → ${shownInLine(command)}\n`,
    )
    .join('');
}

/** What a revocation does not end, a sentence each. */
export function notesOf(
  { dependencies, groups }: Pick<VerifiedOutputs, 'dependencies' | 'groups'>,
  targets: readonly Target[],
  { kind, name: revoked }: Revocation,
): string[] {
  const memberships = targets
    .filter(({ others }) => others.length === 0)
    .flatMap(({ name, principalId }) =>
      groups
        .filter(({ members }) => members.some((one) => one.principalId === principalId))
        .map((group) => ({ name, principalId: principalId ?? '', group })),
    );
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
    ...memberships.map(
      ({ name, principalId, group }) =>
        `${name} is a member of the group ${group.name} until the next update; to take it out now: az ad group member remove --group ${group.objectId} --member-id ${principalId}`,
    ),
    ...(targets.some((one) => one.revoked.some(({ windows }) => windows.length > 0))
      ? ['Run `pulumi up` now: until then, an open window is opened again.']
      : []),
    ...(kind === 'clusters'
      ? [
          `If the service operator of ${revoked} runs as an existing identity, the next update takes its access.`,
        ]
      : []),
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
