import pLimit from 'p-limit';
import { z } from 'zod';
import {
  apiVersions,
  builtInRoles,
  isInScope,
  roleName,
  roleOf,
  rolesIn,
  scopeKind,
  secretsIn,
} from '../../stacks/offline';
import type { AzureLists, RoleAssignment } from '../../verification/access';
import type { VerifiedOutputs } from '../../verification/checks';
import {
  applicationCredentialRemoval,
  assignmentRemoval,
  builtInRoleName,
  certificateRemoval,
  credentialRemoval,
  identityOptions,
  isInEntra,
  passwordRemoval,
  policyRemoval,
} from '../../verification/removal';
import type { AzureReader } from '../azureReader';
import type { AzureRemover } from '../azureRemover';
import { trustsRevoked, type Target } from './targets';

/** One thing by which an identity signs in or reads. */
export interface Access {
  kind: 'role assignment' | 'access policy' | 'federated credential';
  /** Name of the identity. */
  identity: string;
  /** Resource id; of an access policy, the vault's. */
  id: string;
  /** Whether it lets the identity give access. */
  gives?: boolean;
  /** For people. */
  what: string;
  /** The command that removes it by hand. */
  command: string;
  remove: (remover: AzureRemover) => Promise<void>;
}

/** What could not be removed, or not even be listed. */
export interface Failure {
  what: string;
  reason: string;
  /** What to do instead. */
  command: string;
}

/** Requests at a time. */
const parallel = 8;

type Lists = Pick<AzureLists, 'listAssignments' | 'listCredentials' | 'listSignIns'>;

/** Reads a list; what cannot be read is a failure with the command that reads it by hand. */
type Reading = <T>(what: string, command: string, read: () => Promise<T[]>) => Promise<T[]>;

/** The access that is to go: grants first, since they end sooner than sign-ins. */
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
  const roleScopes = outputs.workloads.flatMap(({ grants, windows }) =>
    rolesIn([...grants, ...windows]).map(({ scope }) => scope),
  );
  const places = [
    `/subscriptions/${outputs.subscriptionId}/resourceGroups/${outputs.resourceGroup}`,
    ...targets.map(({ id }) => id),
    ...Object.values(outputs.vaults).map(({ id }) => id),
    ...outputs.dependencies.map(({ resourceId }) => resourceId),
    ...roleScopes,
  ].filter((id) => /^\/subscriptions\//i.test(id));
  // On management groups there are others than those of the subscriptions.
  const subscriptions = new Set([
    ...places.map((id) => id.split('/').slice(0, 3).join('/').toLowerCase()),
    ...roleScopes.filter((id) => scopeKind(id) === 'management group'),
  ]);
  /** Who deploys need not be allowed to list the whole subscription. */
  const assignmentsIn = (scope: string) =>
    lists.listAssignments(scope).catch(async () => {
      const within = [...new Set(places.filter((id) => isInScope(id, scope)))];
      const found = await Promise.all(within.map((id) => lists.listAssignments(id)));
      notes.push(
        `Role assignments of ${scope} could not be listed: only ${within.join(', ')} were looked at.`,
      );
      return found.flat();
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
  ).then((all) => [...new Map(all.flat().map((one) => [one.id.toLowerCase(), one])).values()]);
  const found = await Promise.all(
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
      const grants = (await assignments)
        .filter((one) => one.principalId === principalId)
        .filter((one) => target.whole || isOfRevoked(outputs, target, one));
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
        grants: [...grants.map((one) => assignmentAccess(target, one)), ...policies.flat()],
        signIns: credentials
          .filter((one) => target.whole || trustsRevoked(target, one))
          .map((one) => credentialAccess(target, one)),
      };
    }),
  );
  const access = [...found.flatMap(({ grants }) => grants), ...found.flatMap(({ signIns }) => signIns)];
  return { access, failures, notes };
}

/**
 * The passwords and certificates of an application in Entra: an update removes those that the stack made, and all of them can
 * be removed by hand at once.
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
      : 'is not of the stack, and lets it sign in';
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
 * Removes everything, also what comes after a failure: the right to give access, then grants, then sign-ins. Of one vault and of one identity, one after
 * the other, as Azure demands.
 */
export async function removeAccess(
  access: readonly Access[],
  remover: AzureRemover,
): Promise<{ removed: Access[]; failures: Failure[] }> {
  const removed: Access[] = [];
  const failures: Failure[] = [];
  const limited = pLimit(parallel);
  const removeOne = (one: Access) =>
    limited(() => one.remove(remover)).then(
      () => void removed.push(one),
      (error: unknown) =>
        void failures.push({
          what: `${one.kind} ${one.what}`,
          reason: reasonOf(error),
          command: one.command,
        }),
    );
  const isSignIn = ({ kind }: Access) => kind === 'federated credential';
  const phases = [
    access.filter((one) => one.gives === true),
    access.filter((one) => one.gives !== true && !isSignIn(one)),
    access.filter(isSignIn),
  ];
  for (const phase of phases) {
    const queues = new Set(phase.map(queueOf));
    await Promise.all(
      [...queues].map(async (queue) => {
        for (const one of phase) if (queueOf(one) === queue) await removeOne(one);
      }),
    );
  }
  return { removed, failures };
}

function queueOf({ kind, id, identity }: Access): string {
  return kind === 'federated credential' ? identity : id;
}

/** Whether only what is revoked reads there by the identity. */
function isOfRevoked(
  { vaults, dependencies }: VerifiedOutputs,
  { revoked, others }: Target,
  { role, scope }: RoleAssignment,
): boolean {
  const isOn = (ids: readonly string[]) => ids.some((id) => id !== '' && isInScope(scope, id));
  const uses = (workloads: Target['revoked']) =>
    isOn(
      workloads
        .flatMap(({ grants, windows }) => [...grants, ...windows].map((one) => roleOf(one, vaults)))
        .filter((one) => one.role === role)
        .map((one) => one.scope),
    );
  if (uses(revoked)) return !uses(others);
  const services = dependencies.filter((one) =>
    revoked.some(({ application }) => application === one.application),
  );
  return isOn(services.map(({ resourceId }) => resourceId));
}

/** An access policy is of the whole vault: it stays as long as another application reads there as the identity. */
function losesVault({ whole, revoked, others }: Target, vault: string): boolean {
  const reads = (workloads: Target['revoked']) =>
    workloads.some(({ grants }) => secretsIn(grants).some((one) => one.vault === vault));
  return whole || (reads(revoked) && !reads(others));
}

const policies = z.array(z.looseObject({ objectId: z.string() }));

function policiesIn(vault: { properties: Record<string, unknown> } | undefined) {
  return policies.parse(vault?.properties.accessPolicies ?? []);
}

function assignmentAccess({ name }: Pick<Target, 'name'>, { id, role, scope }: RoleAssignment): Access {
  return {
    kind: 'role assignment',
    identity: name,
    id,
    gives: role === builtInRoles.rbacAdministrator,
    what: `${builtInRoleName(role) ?? roleName(role) ?? role} on ${scope}`,
    command: assignmentRemoval(id),
    remove: (remover) => remover.delete(id, apiVersions.assignments),
  };
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
