import { AccessPolicy, Secret } from '@pulumi/azure-native/keyvault';
import * as pulumi from '@pulumi/pulumi';
import { assignRole } from '../azure/assignRole';
import type { KeyVaultArgs, SecretGrant } from './arguments';
import { onlySecrets } from './nameCondition';
import { valueDigest, valueTag } from './valueTag';

/** The component of the vault, which is the parent of the resources in it. */
interface Vault extends pulumi.Resource {
  readonly id: pulumi.Output<string>;
  readonly vaultName: pulumi.Output<string>;
  readonly resourceGroupName: pulumi.Output<string>;
  readonly tenantId: pulumi.Output<string>;
}

/** The resources that make secrets of a vault readable. */
export interface Granted {
  /** Returns the resources that a grantee's access to a secret needs. */
  readonly accessTo: (grantee: string, secret: string) => readonly (pulumi.Resource | undefined)[];
  /** All secrets and grants. */
  readonly resources: readonly pulumi.Resource[];
}

/** Writes the secrets, and assigns each grantee a role on each of its secrets, or on the vault under a condition. */
export function grantByRole(vault: Vault, name: string, args: KeyVaultArgs): Granted {
  const { grants = [], importedAssignments = {} } = args;
  const written = writeSecrets(vault, name, args, []);
  const assignments = new Map<string, pulumi.Resource>();
  const onVault = new Map<string, pulumi.Resource>();
  for (const grant of grants) {
    const { grantee, principalId, isGroup, secrets, byCondition = false } = grant;
    if (byCondition) {
      if (secrets.length > 0)
        onVault.set(grantee, assignOnVault(vault, `${name}/${grantee}`, grant, importedAssignments));
      continue;
    }
    for (const secret of [...secrets].sort()) {
      // Joined by slashes, which names of grantees and secrets do not contain: `a-b` with `c` and `a` with `b-c` remain two
      // resources.
      const inStack = `${name}/${grantee}/${secret}`;
      const scope = pulumi.interpolate`${vault.id}/secrets/${secret}`;
      // The scope must exist. A secret that is not written here already exists in the vault.
      const dependsOn = [written.get(secret)].filter((resource) => resource !== undefined);
      const assignment = assignRole(
        inStack,
        {
          ...{ scope, role: 'keyVaultSecretsUser', principalId, isGroup },
          assignmentName: importedAssignments[inStack],
        },
        { parent: vault, dependsOn },
      );
      assignments.set(`${grantee}/${secret}`, assignment);
    }
  }
  return {
    accessTo: (grantee, secret) =>
      onVault.has(grantee)
        ? // The secret is included, although the assignment does not need it, so that a workload finds it when it starts.
          [onVault.get(grantee), written.get(secret)]
        : [assignments.get(`${grantee}/${secret}`)],
    resources: [...written.values(), ...assignments.values(), ...onVault.values()],
  };
}

/**
 * Assigns the role once for all secrets of a grant. The condition is not part of the assignment's name: Azure changes it in place,
 * and refuses a second assignment with another.
 */
function assignOnVault(
  vault: Vault,
  inStack: string,
  { principalId, isGroup, secrets }: SecretGrant,
  imported: Readonly<Record<string, string>>,
): pulumi.Resource {
  return assignRole(
    inStack,
    {
      ...{ scope: vault.id, role: 'keyVaultSecretsUser', principalId, isGroup },
      ...{ assignmentName: imported[inStack], condition: onlySecrets(secrets) },
    },
    { parent: vault },
  );
}

/**
 * Assigns each grantee an access policy, which covers every secret of the vault, and writes the secrets.
 *
 * Azure refuses some concurrent writes to a vault with ConflictError ("changed from the point the operation began",
 * pulumi-azure-native #1013), so each waits for the previous ones. Policies come first, because the value of a secret may
 * be known late.
 */
export function grantByAccessPolicy(vault: Vault, name: string, args: KeyVaultArgs): Granted {
  const { resourceGroupName, vaultName, tenantId } = vault;
  const policies = new Map<string, pulumi.Resource>();
  for (const { grantee, principalId } of args.grants ?? []) {
    // `list` is not needed to read a secret by its name, and would show the names of all others.
    const permissions = { secrets: ['get'] };
    const policy = new AccessPolicy(
      `${name}/${grantee}`,
      { resourceGroupName, vaultName, policy: { tenantId, objectId: principalId, permissions } },
      { parent: vault, dependsOn: [...policies.values()] },
    );
    policies.set(grantee, policy);
  }
  const written = writeSecrets(vault, name, args, [...policies.values()]);
  return {
    // The policy does not need the secret, but a workload must find its secrets when it starts.
    accessTo: (grantee, secret) => [policies.get(grantee), written.get(secret)],
    resources: [...policies.values(), ...written.values()],
  };
}

/** Writes the secrets one after the other, after the last of `before`. */
function writeSecrets(
  vault: Vault,
  name: string,
  { secrets = {}, keptSecrets = {}, secretTags: tags }: KeyVaultArgs,
  before: readonly pulumi.Resource[],
): ReadonlyMap<string, pulumi.Resource> {
  const { resourceGroupName, vaultName } = vault;
  const written = new Map<string, pulumi.Resource>();
  // Kept secrets come last: their values are known late, and no other secret should wait for them.
  for (const [secretName, value] of Object.entries({ ...secrets, ...keptSecrets })) {
    const isKept = Object.hasOwn(keptSecrets, secretName);
    const secret = new Secret(
      // Names of vaults and secrets contain no slash, so `kv` with `reports-db` and `kv-reports` with `db` remain two
      // resources.
      `${name}/${secretName}`,
      {
        ...{ resourceGroupName, vaultName, secretName, properties: { value: pulumi.secret(value) } },
        tags: isKept ? withDigest(value, tags) : tags,
      },
      {
        parent: vault,
        // A secret is deleted only with its vault. Deleting it alone requires a right on the vault's data plane, which the
        // deploying account needs for nothing else.
        retainOnDelete: true,
        dependsOn: [...before, ...written.values()].slice(-1),
        // By now, the value in the vault may be newer.
        ...(isKept && { ignoreChanges: ['properties', 'tags'] }),
      },
    );
    written.set(secretName, secret);
  }
  return written;
}

/**
 * Returns the tags with the digest of the value. The value is a key that cannot be guessed, so its digest is not secret and
 * may be among the tags in Azure.
 */
function withDigest(value: pulumi.Input<string>, tags: KeyVaultArgs['secretTags']) {
  const digest = pulumi.unsecret(pulumi.output(value).apply(valueDigest));
  return pulumi.all([tags ?? {}, digest]).apply(([others, known]) => ({ ...others, [valueTag]: known }));
}
