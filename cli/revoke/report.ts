import pc from 'picocolors';
import type { VerifiedOutputs } from '../../verification/checks';
import { shownInLine } from '../shownOnTerminal';
import { sharesBinding } from './bindings';
import type { Failure } from './failure';
import type { Access } from './assignments';
import type { Revocation, Target } from './targets';

/** Lists the access by identity, one line each. */
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

/** Returns notes on access that a revocation does not end, one sentence each. */
export function notesOf(
  { dependencies, groups }: Pick<VerifiedOutputs, 'dependencies' | 'groups'>,
  targets: readonly Target[],
  { kind, name: revoked }: Revocation,
): string[] {
  const memberships = targets
    .filter(({ others }) => others.length === 0)
    .flatMap(({ name, principalId }) =>
      groups
        .filter(({ members }) => members.some((member) => member.principalId === principalId))
        .map((group) => ({ name, principalId: principalId ?? '', group })),
    );
  const shared = targets.filter(({ others, revoked }) => others.length > 0 && revoked.length > 0);
  const services = dependencies.filter(
    ({ application, kind, connection }) =>
      (connection !== 'identity' || !['storageAccount', 'serviceBus'].includes(kind)) &&
      targets.some(({ revoked }) => revoked.some((workload) => workload.application === application)),
  );
  return [
    'Tokens issued earlier stay valid for up to 24 hours. Grants of the identity itself end within 10 minutes; access through a group ends with the token.',
    ...shared.map((target) => {
      const [lost, kept] = [applicationsOf(target.revoked), applicationsOf(target.others)];
      const more = sharesBinding(target) ? ', and until the next update it can get new ones' : '';
      return `${lost} shared ${target.name} with ${kept}: its tokens keep the access of ${kept} until they expire${more}.`;
    }),
    ...memberships.map(
      ({ name, principalId, group }) =>
        `${name} is a member of the group ${group.name} until the next update; to remove it now: az ad group member remove --group ${group.objectId} --member-id ${principalId}`,
    ),
    ...(targets.some(({ revoked }) => revoked.some(({ windows }) => windows.length > 0))
      ? ['Run `pulumi up` now: until then, the reconciler reopens windows that should be open.']
      : []),
    ...(kind === 'clusters'
      ? [
          `If the service operator of ${revoked} runs as an existing identity, the next update removes its access.`,
        ]
      : []),
    ...(services.length === 0
      ? []
      : [
          `Keys and the services' own access control are not changed: ${services.map(({ application, name, kind }) => `${application}/${name} (${kind})`).join(', ')}.`,
        ]),
    'Rotate the secrets that were read: their values are known.',
  ];
}

function applicationsOf(workloads: Target['revoked']): string {
  return [...new Set(workloads.map(({ application }) => application))].join(', ');
}
