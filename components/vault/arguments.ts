import type * as pulumi from '@pulumi/pulumi';
import type { LogDestination } from '../logs/diagnosticLogs';
import type { ArgumentProblem } from '../resource/errors';
import type { NewResource } from '../resource/newResource';
import type { VaultAccess } from './access';
import { nameConditionProblem } from './nameCondition';

/** The firewall of a vault: it refuses all other networks. */
export interface VaultFirewall {
  /** Public IPv4 addresses and ranges (CIDR) that can reach the vault. */
  readonly allowedIpRanges: pulumi.Input<string>[];
  /** Ids of the subnets that can reach the vault, through their service endpoint Microsoft.KeyVault. */
  readonly allowedSubnets: pulumi.Input<string>[];
  /** Allow trusted Microsoft services to reach the vault. */
  readonly trustedServices: boolean;
}

/** An address of the vault in a virtual network. */
export interface VaultPrivateEndpoint {
  /** Id of the subnet of the endpoint's address, in the region and subscription of the endpoint. */
  readonly subnet: string;
  /**
   * Id of the private DNS zone `privatelink.vaultcore.azure.net` for the record of the address. Default: none; the record
   * is created by other means.
   */
  readonly privateDnsZone?: pulumi.Input<string>;
}

/** A vault that the component creates. Its private endpoints have its tags; its secrets are deleted only with it. */
export interface NewKeyVault extends NewResource {
  /** Resource group to create it in. */
  readonly resourceGroupName: pulumi.Input<string>;
  /** Its name in Azure, which must be globally unique. */
  readonly vaultName: pulumi.Input<string>;
  /** Entra tenant of the identities that can be granted access. */
  readonly tenantId: pulumi.Input<string>;
  /** Retention of deleted secrets and of the deleted vault, in days, 7 to 90. It cannot be changed later. Default: 90. */
  readonly softDeleteRetentionInDays?: number;
  /** Prevent purging of the vault and its secrets before the retention ends. It cannot be disabled later. Default: true. */
  readonly purgeProtection?: boolean;
  /**
   * Make the vault reachable from the internet; every request still needs a token with access. Default: false, only through
   * private endpoints.
   */
  readonly publicAccess?: boolean;
  /** Networks that can reach the vault; without `publicAccess`, none can. Default: all networks. */
  readonly firewall?: VaultFirewall;
  /** Private endpoints of the vault, each in its own subnet. Default: none. */
  readonly privateEndpoints?: VaultPrivateEndpoint[];
  /** Destination of the audit logs, which show who read and changed what. Default: no audit logs. */
  readonly logs?: LogDestination;
}

/** The right of one identity, or of the members of one group, to read secrets. */
export interface SecretGrant {
  /** Name of the grant in the stack. It is unique in the vault. */
  readonly grantee: string;
  /** Object id in Entra of the identity or the group that may read the secrets. */
  readonly principalId: pulumi.Input<string>;
  /** True for a group. Default: false, for an identity. */
  readonly isGroup?: boolean;
  /**
   * Names of the secrets. With roles, the identity may read only these. With access policies, it may read every secret of the
   * vault, because a policy cannot name secrets.
   */
  readonly secrets: string[];
  /**
   * With roles: assign the role once, on the vault, under a condition that names the secrets, instead of on each secret. A
   * subscription has at most 4,000 role assignments. The names must be in lower case, and the condition has room for about 90
   * of them. The principal must have no other such grant on the vault. In Azure, conditions on names of secrets are in
   * preview since 2026-07. Default: false, a role assignment on each secret.
   */
  readonly byCondition?: boolean;
}

/** Arguments of KeyVault: `create` or `existing`, and what is in it. */
export interface KeyVaultArgs {
  /** The vault to create. */
  readonly create?: NewKeyVault;
  /** Resource id of an existing vault. It is read, never changed or deleted. */
  readonly existing?: pulumi.Input<string>;
  /** How access to the secrets is granted. */
  readonly access: VaultAccess;
  /**
   * Values of the secrets to write, by name. A secret that is removed from here is kept in the vault. Default: none; every
   * secret already exists in the vault.
   */
  readonly secrets?: Record<string, pulumi.Input<string>>;
  /**
   * Initial values of secrets that something else keeps current, such as a ConnectionWriter. They are written once, with a
   * digest of the value among their tags, and never updated. Default: none.
   */
  readonly keptSecrets?: Record<string, pulumi.Input<string>>;
  /** Tags of the secrets. A change creates a new version of each secret, with the same value. Default: no tags. */
  readonly secretTags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Grants of access to the secrets. Default: none. */
  readonly grants?: SecretGrant[];
  /**
   * Lock the vault against deletion. The lock also protects role assignments in the vault, so it is created after all
   * grants and deleted first. Only with `create`. Default: false.
   */
  readonly lock?: boolean;
  /**
   * Names (GUIDs) of existing role assignments, by their names in the stack (`<vault>/<grantee>/<secret>`, or
   * `<vault>/<grantee>` of a grant by condition): Azure refuses a second assignment of a role, and the name of the first
   * cannot be changed. Default: each is named after its scope, role and grantee.
   */
  readonly importedAssignments?: Record<string, string>;
}

/**
 * Returns problems that would silently lose something: a lock that is not created, a value that another replaces, or access to a
 * secret that a condition does not match.
 */
export function keyVaultProblems({
  secrets = {},
  keptSecrets = {},
  existing,
  access,
  grants = [],
  lock,
}: KeyVaultArgs): ArgumentProblem[] {
  const problems: ArgumentProblem[] = Object.keys(keptSecrets)
    .filter((name) => Object.hasOwn(secrets, name))
    .map((name) => ({
      argument: `keptSecrets.${name}`,
      problem: 'is already in `secrets`',
      allowed: 'each name once',
    }));
  if (existing !== undefined && lock === true)
    problems.push({
      argument: 'lock',
      value: true,
      problem: 'cannot be set on an existing vault, which is never changed',
      allowed: 'a lock on a vault that the component creates',
    });
  for (const [index, { byCondition, secrets: names }] of grants.entries()) {
    if (byCondition !== true) continue;
    if (access !== 'rbac')
      problems.push({
        argument: `grants[${index}].byCondition`,
        value: true,
        problem: 'needs role assignments, and the vault has access policies',
        allowed: 'grants by condition with `access: rbac`',
      });
    const problem = nameConditionProblem(names);
    if (problem !== undefined)
      problems.push({
        argument: `grants[${index}].secrets`,
        problem: `cannot be granted by condition: ${problem.reason}`,
        allowed: problem.allowed,
      });
  }
  return problems;
}
