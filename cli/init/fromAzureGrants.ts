import { isInScope } from '../../components/azure/resourceId';
import { builtInRoles, roleName, rolesReadingSecrets } from '../../components/azure/roles';
import { secretScope } from '../../stacks/access/vaults';
import type { RoleAssignment } from '../../verification/access';
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

const instead = (remove: string) =>
  `It stays. Name the secrets that it needs in \`secrets\` of its application, run an update, and then ${remove}.`;

/** Returns the finding for a role assignment that is not the role Key Vault Secrets User on one secret. */
function notPlain(what: string, assignment: RoleAssignment, vaults: readonly FoundVault[]): Finding {
  const { scope, role, condition } = assignment;
  const isConditional = condition !== undefined;
  const has = `has the role ${roleName(role) ?? role} on ${scope}${isConditional ? ' under a condition' : ''}`;
  // The list of a subscription includes the assignments on management groups above it.
  const isAbove = !/^\/subscriptions\//i.test(scope);
  const covered = vaults.filter(({ id, access }) => access === 'rbac' && (isAbove || isInScope(id, scope)));
  const reading = rolesReadingSecrets[role.toLowerCase()];
  if (reading !== undefined && covered.length > 0)
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

/** Returns the access policies that let an identity read a vault: each covers every secret. */
function policiesOf({ id, principalId }: FoundIdentity, vaults: readonly FoundVault[]): Finding[] {
  return vaults
    .filter(
      ({ access, policies }) =>
        access === 'accessPolicy' &&
        policies.some(
          (policy) =>
            isSameId(policy.objectId, principalId) &&
            policy.permissions.some(
              (permission) => permission === 'secrets get' || permission === 'secrets all',
            ),
        ),
    )
    .map((vault) => ({
      kind: 'broadGrant' as const,
      what: nameIn(id),
      problem: `has an access policy of ${nameIn(vault.id)}, and so reads every secret in it`,
      hint: instead(
        `delete the policy: \`az keyvault delete-policy --name ${nameIn(vault.id)} --object-id ${principalId}\`. Only a vault in RBAC mode can grant single secrets`,
      ),
    }));
}
