import pLimit from 'p-limit';
import * as z from 'zod';
import { apiVersions } from '../../components/azure/resourceManager';
import { isInScope } from '../../components/azure/resourceId';
import { everGranted, rolesIn, secretsIn } from '../../stacks/plan/granted';
import { scopeKind } from '../../components/azure/scope';
import type { AzureLists } from '../../verification/access';
import type { VerifiedOutputs } from '../../verification/checks';
import {
  applicationCredentialRemoval,
  certificateRemoval,
  credentialRemoval,
  identityOptions,
  isInEntra,
  passwordRemoval,
  policyRemoval,
} from '../../verification/removal';
import type { AzureReader } from '../azureReader';
import type { AzureRemover } from '../azureRemover';
import { removedFrom, type Access } from './assignments';
import type { Failure } from './failure';
import { bindingAccess, bindingsLost, usersLeft } from './bindings';
import { trustsRevoked, type Target } from './targets';

/** Requests sent in parallel. */
const parallel = 8;

type Lists = Pick<AzureLists, 'listAssignments' | 'listCredentials' | 'listSignIns'>;

/** Reads a list. If it cannot be read, the failure names the command that reads it by hand. */
type Reading = <T>(what: string, command: string, read: () => Promise<T[]>) => Promise<T[]>;

/** Finds the access to remove: grants first, since they take effect sooner than sign-ins. */
export async function accessOf(
  outputs: VerifiedOutputs,
  targets: readonly Target[],
  azure: AzureReader,
  lists: Lists,
): Promise<{ access: Access[]; failures: Failure[]; notes: string[] }> {
  const failures: Failure[] = [];
  const notes: string[] = [];
  const limited = pLimit(parallel);
  const reading: Reading = (what, command, read) =>
    limited(read).catch((error: unknown) => {
      failures.push({ what, reason: reasonOf(error), command });
      return [];
    });
  const roleScopes = rolesIn(outputs.workloads.flatMap(everGranted)).map(({ scope }) => scope);
  const places = [
    `/subscriptions/${outputs.subscriptionId}/resourceGroups/${outputs.resourceGroup}`,
    ...targets.map(({ id }) => id),
    ...Object.values(outputs.vaults).map(({ id }) => id),
    ...outputs.dependencies.map(({ resourceId }) => resourceId),
    ...roleScopes,
  ].filter((id) => /^\/subscriptions\//i.test(id));
  // Management groups have role assignments of their own.
  const subscriptions = new Set([
    ...places.map((id) => id.split('/').slice(0, 3).join('/').toLowerCase()),
    ...roleScopes.filter((id) => scopeKind(id) === 'management group'),
  ]);
  /** An account that may deploy may lack the permission to list the whole subscription. */
  const assignmentsIn = (scope: string) =>
    lists.listAssignments(scope).catch(async () => {
      const within = [...new Set(places.filter((id) => isInScope(id, scope)))];
      const partial = await Promise.all(within.map((id) => lists.listAssignments(id)));
      notes.push(
        `Role assignments of ${scope} could not be listed: only those of ${within.join(', ')} were read.`,
      );
      return partial.flat();
    });
  const principals = targets.flatMap(({ principalId }) => principalId ?? []);
  const assignments = Promise.all(
    [...subscriptions].map((scope) =>
      reading(
        `role assignments in ${scope}`,
        principals
          .map(
            (id) =>
              `az role assignment list --all --assignee ${id} --subscription ${scope.split('/')[2] ?? ''}`,
          )
          .join('; '),
        () => assignmentsIn(scope),
      ),
    ),
  ).then((assignmentLists) => [
    ...new Map(
      assignmentLists.flat().map((assignment) => [assignment.id.toLowerCase(), assignment]),
    ).values(),
  ]);
  const results = await Promise.all(
    targets.map(async (target) => {
      const principalId =
        target.principalId ??
        (
          await reading(target.name, `az identity show --ids ${target.id}`, async () => [
            await azure.get(target.id, apiVersions.identities),
          ])
        ).map((identity) => String(identity?.properties.principalId))[0];
      const credentials = await reading(
        `federated credentials of ${target.name}`,
        isInEntra(target.id)
          ? `az ad app federated-credential list --id ${objectIdIn(target.id)}`
          : `az identity federated-credential list ${identityOptions(target.id)}`,
        () => lists.listCredentials(target.id),
      );
      const own = outputs.identities.find(({ id }) => id === target.id)?.credential;
      failures.push(...(await secretsLeft(target, own?.keyIds ?? [], lists, reading)));
      failures.push(...usersLeft(outputs, target));
      const grants = (await assignments)
        .filter((assignment) => assignment.principalId === principalId)
        .flatMap((assignment) => removedFrom(outputs, target, assignment));
      const policies = await Promise.all(
        Object.entries(outputs.vaults)
          .filter(([vault, { access }]) => access === 'accessPolicy' && losesVault(target, vault))
          .map(([vault, { id }]) =>
            reading(`access policies of ${vault}`, `az keyvault show --name ${vault}`, async () =>
              policiesIn(await azure.get(id, apiVersions.vaults))
                .filter(({ objectId }) => objectId === principalId)
                .map((policy) => policyAccess(target, id, policy)),
            ),
          ),
      );
      return {
        grants: [...grants, ...policies.flat()],
        signIns: [
          ...bindingsLost(outputs, target).map((binding) => bindingAccess(target, binding)),
          ...credentials
            .filter((credential) => target.whole || trustsRevoked(target, credential))
            .map((credential) => credentialAccess(target, credential)),
        ],
      };
    }),
  );
  const access = [...results.flatMap(({ grants }) => grants), ...results.flatMap(({ signIns }) => signIns)];
  return { access, failures, notes };
}

/**
 * Lists the passwords and certificates of an application in Entra. The next update removes those of the stack; the commands remove
 * any of them immediately.
 */
async function secretsLeft(
  { id, name, clientId }: Target,
  ownKeys: readonly string[],
  lists: Pick<Lists, 'listSignIns'>,
  reading: Reading,
): Promise<Failure[]> {
  if (!isInEntra(id) || clientId === undefined) return [];
  const reasonFor = (key: string) =>
    ownKeys.includes(key)
      ? 'lets it sign in until the next update removes it'
      : 'was not created by the stack, and lets it sign in';
  return reading(
    `passwords and certificates of ${name}`,
    `az ad app credential list --id ${clientId}`,
    async () => {
      const { passwords = [], certificates = [] } = (await lists.listSignIns(clientId)) ?? {};
      return [
        ...passwords.map((key) => ({
          ...{ what: `password ${key} of ${name}`, reason: reasonFor(key) },
          command: passwordRemoval(clientId, key),
        })),
        ...certificates.map((key) => ({
          ...{ what: `certificate ${key} of ${name}`, reason: reasonFor(key) },
          command: certificateRemoval(clientId, key),
        })),
      ];
    },
  );
}

/**
 * Removes all access, also after a failure: first the right to give access, then grants, then sign-ins. Removals in the same vault or
 * of the same identity are sequential, as Azure requires.
 */
export async function removeAccess(
  access: readonly Access[],
  remover: AzureRemover,
): Promise<{ removed: Access[]; failures: Failure[] }> {
  const removed: Access[] = [];
  const failures: Failure[] = [];
  const limited = pLimit(parallel);
  const removeOne = (item: Access) =>
    limited(() => item.remove(remover)).then(
      () => void removed.push(item),
      (error: unknown) =>
        void failures.push({
          what: `${item.kind} ${item.what}`,
          reason: reasonOf(error),
          command: item.command,
        }),
    );
  const isSignIn = ({ kind }: Access) => kind === 'federated credential' || kind === 'identity binding';
  const phases = [
    access.filter((item) => item.canGrant === true),
    access.filter((item) => item.canGrant !== true && !isSignIn(item)),
    access.filter(isSignIn),
  ];
  for (const phase of phases) {
    const queues = new Set(phase.map(queueOf));
    await Promise.all(
      [...queues].map(async (queue) => {
        for (const item of phase) if (queueOf(item) === queue) await removeOne(item);
      }),
    );
  }
  return { removed, failures };
}

function queueOf({ kind, id, identity }: Access): string {
  return kind === 'federated credential' ? identity : id;
}

/** Tells whether to remove an access policy. It covers the whole vault, so it stays if another application needs it. */
function losesVault({ whole, revoked, others }: Target, vault: string): boolean {
  const reads = (workloads: Target['revoked']) =>
    workloads.some(({ grants }) => secretsIn(grants).some((grant) => grant.vault === vault));
  return whole || (reads(revoked) && !reads(others));
}

const policies = z.array(z.looseObject({ objectId: z.string() }));

function policiesIn(vault: { properties: Record<string, unknown> } | undefined) {
  return policies.parse(vault?.properties.accessPolicies ?? []);
}

function policyAccess({ name }: Target, vault: string, policy: z.infer<typeof policies>[number]): Access {
  return {
    kind: 'access policy',
    identity: name,
    id: vault,
    what: `of ${policy.objectId} on ${vault}`,
    command: policyRemoval(vault, policy.objectId),
    remove: (remover) => remover.removePolicies(vault, [policy]),
  };
}

function credentialAccess(
  { name: identity, id: parent }: Target,
  { name, subject, issuer }: { name: string; subject: string | undefined; issuer: string },
): Access {
  const id = `${parent}/federatedIdentityCredentials/${name}`;
  const inEntra = isInEntra(parent);
  return {
    kind: 'federated credential',
    identity,
    id,
    what: `${name}: ${subject ?? 'claims by an expression'} of ${issuer}`,
    command: inEntra
      ? applicationCredentialRemoval(objectIdIn(parent), name)
      : credentialRemoval(parent, name),
    remove: (remover) => (inEntra ? remover.deleteInEntra(id) : remover.delete(id, apiVersions.identities)),
  };
}

function objectIdIn(application: string): string {
  return application.split('/').at(-1) ?? '';
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}
