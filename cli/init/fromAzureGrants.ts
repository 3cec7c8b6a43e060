import { isInScope } from '../../components/azure/resourceId';
import { builtInRoles, roleName, rolesGivingAccess, rolesReadingSecrets } from '../../components/azure/roles';
import { secretScope } from '../../stacks/access/vaults';
import type { AccessPolicy, RoleAssignment } from '../../verification/access';
import type { Finding, Found, FoundIdentity, FoundVault } from './fromAzureFound';
import { isSameId, nameIn } from './fromAzureFound';

/** The secrets that an identity is granted one by one, by vault. */
export type SecretGrants = ReadonlyMap<FoundVault, readonly string[]>;

/** The access of an identity: grants of single secrets, which a stack file has, and everything else. */
export interface IdentityGrants {
  readonly secrets: SecretGrants;
  readonly findings: readonly Finding[];
}

export function grantsOf(identity: FoundIdentity, { vaults, assignments }: Found): IdentityGrants {
  const secrets = new Map<FoundVault, string[]>();
  const findings: Finding[] = [];
  const what = nameIn(identity.id);
  for (const assignment of assignments) {
    if (!isSameId(assignment.principalId, identity.principalId)) continue;
    const { scope, role, condition } = assignment;
    const [, vaultId = '', secret] = secretScope.exec(scope) ?? [];
    const vault = vaults.find(({ id }) => isSameId(id, vaultId));
    const isPlain =
      isSameId(role, builtInRoles.keyVaultSecretsUser) &&
      condition === undefined &&
      vault?.access === 'rbac' &&
      secret !== undefined;
    if (!isPlain) {
      findings.push(notPlain(what, assignment, vaults));
      continue;
    }
    const name = vault.secrets.find((candidate) => isSameId(candidate, secret));
    if (name === undefined)
      findings.push({
        kind: 'missingSecret',
        what,
        problem: `may read the secret ${secret} of ${nameIn(vault.id)}, which does not exist`,
        hint: `Create the secret, and run the command again, or delete the grant: ${deleteAssignment(assignment)}.`,
      });
    else secrets.set(vault, [...(secrets.get(vault) ?? []), name]);
  }
  return { secrets, findings: [...findings, ...policiesOf(identity, vaults)] };
}

const deleteAssignment = ({ id }: RoleAssignment) => `\`az role assignment delete --ids ${id}\``;

const deletePolicy = (vault: string, objectId: string) =>
  `\`az keyvault delete-policy --name ${nameIn(vault)} --object-id ${objectId}\``;

const instead = (remove: string) =>
  `It stays. Name the secrets that it needs in \`secrets\` of its application, run an update, and then ${remove}.`;

function hasRole({ scope, role, condition }: RoleAssignment): string {
  const gives = rolesGivingAccess[role.toLowerCase()];
  return `has the role ${roleName(role) ?? role}${gives === undefined ? '' : ', which can grant access,'} on ${scope}${condition === undefined ? '' : ' under a condition'}`;
}

/** Returns the vaults of which a role assignment reads every secret. */
function readVaults({ scope, role }: RoleAssignment, vaults: readonly FoundVault[]): FoundVault[] {
  if (rolesReadingSecrets[role.toLowerCase()] === undefined) return [];
  // The list of a subscription includes the assignments on management groups above it.
  const isAbove = !/^\/subscriptions\//i.test(scope);
  return vaults.filter(({ id, access }) => access === 'rbac' && (isAbove || isInScope(id, scope)));
}

/** Returns the finding for a role assignment that is not the role Key Vault Secrets User on one secret. */
function notPlain(what: string, assignment: RoleAssignment, vaults: readonly FoundVault[]): Finding {
  const isConditional = assignment.condition !== undefined;
  const has = hasRole(assignment);
  const covered = readVaults(assignment, vaults);
  if (covered.length > 0)
    return {
      kind: 'broadGrant',
      what,
      problem: `${has}, and so ${isConditional ? 'what the condition lets it read' : 'reads every secret'} of ${covered.map(({ id }) => nameIn(id)).join(', ')}`,
      hint: instead(`delete the assignment: ${deleteAssignment(assignment)}`),
    };
  return {
    kind: 'otherRole',
    what,
    problem: has,
    hint: 'It stays, and the stack does not manage it. To manage it, name it in `roles` of its application.',
  };
}

const readsSecrets = ({ permissions }: AccessPolicy): boolean =>
  permissions.includes('secrets get') || permissions.includes('secrets all');

/** Returns the access policies that let an identity read a vault: each covers every secret. */
function policiesOf({ id, principalId }: FoundIdentity, vaults: readonly FoundVault[]): Finding[] {
  return vaults
    .filter(
      ({ access, policies }) =>
        access === 'accessPolicy' &&
        policies.some((policy) => isSameId(policy.objectId, principalId) && readsSecrets(policy)),
    )
    .map((vault) => ({
      kind: 'broadGrant' as const,
      what: nameIn(id),
      problem: `has an access policy of ${nameIn(vault.id)}, and so reads every secret in it`,
      hint: instead(
        `delete the policy: ${deletePolicy(vault.id, principalId)}. Only a vault in RBAC mode can grant single secrets`,
      ),
    }));
}

/** Returns the access to secrets of the vaults that principals have which are none of the identities. */
export function foreignGrants({ identities, vaults, assignments }: Found): Finding[] {
  const isForeign = (principal: string) =>
    identities.every(({ principalId }) => !isSameId(principalId, principal));
  const foreign = (principal: string, problem: string, remove: string): Finding => ({
    kind: 'foreignGrant',
    what: `The principal ${principal}`,
    problem: `${problem}, and is not one of the managed identities that were found`,
    hint: `It stays, and the stack does not manage it. Find out in Entra who it is, and if it needs no secret, ${remove}.`,
  });
  return [
    ...assignments
      .filter((assignment) => isForeign(assignment.principalId) && reads(assignment, vaults))
      .map((assignment) =>
        foreign(
          assignment.principalId,
          hasRole(assignment),
          `delete the assignment: ${deleteAssignment(assignment)}`,
        ),
      ),
    ...vaults
      .filter(({ access }) => access === 'accessPolicy')
      .flatMap(({ id, policies }) =>
        policies
          .filter(({ objectId }) => isForeign(objectId))
          .map(({ objectId, permissions }) =>
            foreign(
              objectId,
              `has an access policy of ${nameIn(id)} (${permissions.join(', ')})`,
              `delete the policy: ${deletePolicy(id, objectId)}`,
            ),
          ),
      ),
  ];
}

/** Tells whether an assignment lets its principal read a secret of a vault, one or all. */
function reads(assignment: RoleAssignment, vaults: readonly FoundVault[]): boolean {
  const { scope, role } = assignment;
  const isIn = ({ id, access }: FoundVault) => access === 'rbac' && isInScope(scope, id);
  return (
    readVaults(assignment, vaults).length > 0 ||
    (rolesReadingSecrets[role.toLowerCase()] !== undefined && vaults.some(isIn))
  );
}

/** Tells whether an identity may read a secret of a vault, one by one or all. */
export function isRead(vault: FoundVault, { identities, assignments }: Found): boolean {
  const its = (principal: string) => identities.some(({ principalId }) => isSameId(principalId, principal));
  return vault.access === 'rbac'
    ? assignments.some((assignment) => its(assignment.principalId) && reads(assignment, [vault]))
    : vault.policies.some((policy) => its(policy.objectId) && readsSecrets(policy));
}

/** Returns the findings of an identity that no application of the stack file uses. */
export function unexplained(identity: FoundIdentity, { secrets, findings }: IdentityGrants): Finding[] {
  const what = nameIn(identity.id);
  const single = [...secrets].map(([vault, names]): Finding => ({
    kind: 'unexplainedGrant',
    what,
    problem: `reads ${names.join(', ')} of ${nameIn(vault.id)}, and no application of the stack file runs as it`,
    hint: 'The grants stay. Find out what signs in as it, and delete them if nothing does.',
  }));
  const all = [
    ...single,
    ...findings.map((finding) =>
      finding.kind === 'otherRole'
        ? {
            ...finding,
            problem: `${finding.problem}, and no application of the stack file runs as it`,
            hint: 'It stays, and the stack does not manage it. Find out what signs in as it, and delete the role assignment if nothing does.',
          }
        : finding,
    ),
  ];
  if (all.length > 0 || identity.credentials.length > 0 || identity.isOfCluster) return all;
  return [
    {
      kind: 'unusedIdentity',
      what,
      problem: 'trusts nobody and has no role',
      hint: 'It is not in the stack file. Delete it if no virtual machine, cluster or other service runs as it.',
    },
  ];
}
