import { AccessPolicy } from '@pulumi/azure-native/keyvault';
import * as pulumi from '@pulumi/pulumi';
import { assignRole } from '../azure/assignRole';
import type { KeyVaultArgs, SecretGrant } from './arguments';

/** What a grant needs to know of the vault that it is on. */
export interface GrantedVault extends pulumi.Resource {
  readonly id: pulumi.Output<string>;
  readonly vaultName: pulumi.Output<string>;
  readonly resourceGroupName: pulumi.Output<string>;
  readonly tenantId: pulumi.Output<string>;
}

/** What makes a grantee read each of its secrets, by their names. */
export type Readable = ReadonlyMap<string, pulumi.Resource>;

/** One role assignment on each secret. */
export function grantByRole(
  vault: GrantedVault,
  name: string,
  { principalId, secrets }: SecretGrant,
  written: ReadonlyMap<string, pulumi.Resource>,
  imported: KeyVaultArgs['importedAssignments'] = {},
): Readable {
  return new Map(
    [...new Set(secrets)].sort().map((secret) => {
      // A slash, which no name of a grantee or secret has: `a-b`+`c` and `a`+`b-c` must not be one resource.
      const inStack = `${name}/${secret}`;
      const scope = pulumi.interpolate`${vault.id}/secrets/${secret}`;
      const here = written.get(secret);
      const assignmentName = imported[inStack];
      const assignment = assignRole(
        inStack,
        {
          scope,
          role: 'keyVaultSecretsUser',
          principalId,
          ...(assignmentName !== undefined && { assignmentName }),
        },
        // The scope must exist. A secret that is not written here is in the vault already.
        { parent: vault, ...(here !== undefined && { dependsOn: [here] }) },
      );
      return [secret, assignment];
    }),
  );
}

/** One policy for the grantee, which covers every secret of the vault. It is written after `before`. */
export function grantByAccessPolicy(
  vault: GrantedVault,
  name: string,
  { principalId }: SecretGrant,
  before: readonly pulumi.Resource[],
): AccessPolicy {
  return new AccessPolicy(
    name,
    {
      resourceGroupName: vault.resourceGroupName,
      vaultName: vault.vaultName,
      policy: {
        tenantId: vault.tenantId,
        objectId: principalId,
        // `list` is not needed to read a secret by its name, and tells the names of all others.
        permissions: { secrets: ['get'] },
      },
    },
    { parent: vault, dependsOn: [...before] },
  );
}
