import type { Secret } from '@pulumi/azure-native/keyvault';
import { AccessPolicy } from '@pulumi/azure-native/keyvault';
import * as pulumi from '@pulumi/pulumi';
import { assignRole } from '../azure/assignRole';
import type { Grantee } from './grant';
import { Grant } from './grant';

/** What a grant needs to know of the vault that it is on. */
interface GrantedVault extends pulumi.Resource {
  readonly id: pulumi.Output<string>;
  readonly vaultName: pulumi.Output<string>;
  readonly resourceGroupName: pulumi.Output<string>;
  readonly tenantId: pulumi.Output<string>;
  readonly secrets: ReadonlyMap<string, Secret>;
}

/**
 * Names (GUIDs) of role assignments that existed before, by their names in the stack (`<vault>/<grantee>/<secret>`):
 * Azure refuses a second assignment of a role, and the name of the first cannot be changed.
 */
export type ImportedAssignments = Readonly<Record<string, string>>;

/** One role assignment on each secret. */
export function grantByRole(
  vault: GrantedVault,
  grantName: string,
  grantee: Grantee,
  secrets: readonly string[],
  imported: ImportedAssignments = {},
): Grant {
  const assignments = secrets.map((secret) => {
    // A slash, which no name of a grantee or secret has: `a-b`+`c` and `a`+`b-c` must not be one resource.
    const name = `${grantName}/${secret}`;
    const scope = pulumi.interpolate`${vault.id}/secrets/${secret}`;
    const written = vault.secrets.get(secret);
    const { principalId } = grantee;
    const assignmentName = imported[name];
    return assignRole(
      name,
      {
        scope,
        role: 'keyVaultSecretsUser',
        principalId,
        ...(assignmentName !== undefined && { assignmentName }),
      },
      // The scope must exist. A secret that is not written here is in the vault already.
      { parent: vault, ...(written !== undefined && { dependsOn: [written] }) },
    );
  });
  return new Grant(secrets, assignments);
}

/**
 * One policy for the grantee, which covers every secret of the vault. It is written after `writes`, and added to them.
 * @param known the policy that the grantee has already
 */
export function grantByAccessPolicy(
  vault: GrantedVault,
  grantName: string,
  grantee: Grantee,
  secrets: readonly string[],
  writes: pulumi.Resource[],
  known?: AccessPolicy,
): { readonly grant: Grant; readonly policy: AccessPolicy } {
  // Not the scope of the policy, but what its readers wait for: a workload that starts finds its secrets.
  const written = secrets.flatMap((secret) => vault.secrets.get(secret) ?? []);
  if (known !== undefined) return { grant: new Grant(secrets, [known, ...written]), policy: known };
  // `list` is not needed to read a secret by its name, and tells the names of all others.
  const policy = new AccessPolicy(
    grantName,
    {
      resourceGroupName: vault.resourceGroupName,
      vaultName: vault.vaultName,
      policy: {
        tenantId: vault.tenantId,
        objectId: grantee.principalId,
        permissions: { secrets: ['get'] },
      },
    },
    { parent: vault, dependsOn: [...writes] },
  );
  writes.push(policy);
  return { grant: new Grant(secrets, [policy, ...written]), policy };
}
