import type * as pulumi from '@pulumi/pulumi';
import type { LogDestination } from '../logs/diagnosticLogs';
import type { ArgumentProblem } from '../resource/errors';
import type { NewResource } from '../resource/newResource';
import type { VaultAccess } from './access';

/** The firewall of a vault: every network that is not named is refused. */
export interface VaultFirewall {
  /** Public IPv4 addresses and ranges (CIDR) that reach the vault. */
  readonly allowedIpRanges: pulumi.Input<string>[];
  /** Ids of the subnets that reach the vault, through the service endpoint Microsoft.KeyVault that they have. */
  readonly allowedSubnets: pulumi.Input<string>[];
  /** Microsoft's trusted services reach the vault. */
  readonly trustedServices: boolean;
}

/** An address of the vault in a virtual network. */
export interface VaultPrivateEndpoint {
  /** Id of the subnet of the endpoint's address, in the region and subscription of the endpoint. */
  readonly subnet: string;
  /**
   * Id of the zone `privatelink.vaultcore.azure.net` in which the address is recorded. Default: none: the address is
   * recorded by other means.
   */
  readonly privateDnsZone?: pulumi.Input<string>;
}

/** A vault that the component creates. Its private endpoints have its tags; its secrets are deleted only with it. */
export interface NewKeyVault extends NewResource {
  /** Resource group that it is made in. */
  readonly resourceGroupName: pulumi.Input<string>;
  /** Its name in Azure, unique in all of Azure. */
  readonly vaultName: pulumi.Input<string>;
  /** Entra tenant whose identities may be given access. */
  readonly tenantId: pulumi.Input<string>;
  /**
   * Days, 7 to 90, for which deleted secrets and the deleted vault can be recovered. Cannot be changed later. Default:
   * 90.
   */
  readonly softDeleteRetentionInDays?: number;
  /**
   * Nobody can purge the vault or a secret before the retention is over. Cannot be switched off again. Default: true.
   */
  readonly purgeProtection?: boolean;
  /**
   * Reachable from the internet (every request still needs a token with access). Default: false: only through private
   * endpoints.
   */
  readonly publicAccess?: boolean;
  /** The networks that reach the vault; without `publicAccess`, none does. Default: every network. */
  readonly firewall?: VaultFirewall;
  /** Private endpoints of the vault, each in a subnet of its own. Default: none. */
  readonly privateEndpoints?: VaultPrivateEndpoint[];
  /** Where the audit logs go: who read and changed what. Default: nowhere. */
  readonly logs?: LogDestination;
}

/** The right of one identity, or of the members of one group, to read secrets. */
export interface SecretGrant {
  /** Name of the grant in the stack. A vault has at most one grant of a name. */
  readonly grantee: string;
  /** Object id in Entra of the identity or the group that may read. */
  readonly principalId: pulumi.Input<string>;
  /** It is a group. Default: false: it is an identity. */
  readonly isGroup?: boolean;
  /**
   * Names of the secrets. By role, the identity may read these and no other: each has a role assignment of its own. By
   * access policy, it may read every secret of the vault: a policy cannot name secrets.
   */
  readonly secrets: string[];
}

/** Arguments of KeyVault: `create` or `existing`, and what is in it. */
export interface KeyVaultArgs {
  /** The vault that is made. */
  readonly create?: NewKeyVault;
  /** Resource id of a vault that exists already; it is read, never changed and never deleted. */
  readonly existing?: pulumi.Input<string>;
  /** How the vault decides who may read its secrets. */
  readonly access: VaultAccess;
  /**
   * Values of the secrets to write, by name. A secret that is no longer named here stays in the vault. Default: none:
   * every secret exists in the vault already.
   */
  readonly secrets?: Record<string, pulumi.Input<string>>;
  /**
   * First values of secrets that something else keeps current, such as a ConnectionWriter: they are written once, with a
   * digest of the value among their tags, and left then. Default: none.
   */
  readonly keptSecrets?: Record<string, pulumi.Input<string>>;
  /** Tags of the secrets. Other tags mean a new version of each secret, with the same value. Default: no tags. */
  readonly secretTags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Who may read which secrets. Default: nobody. */
  readonly grants?: SecretGrant[];
  /**
   * Nobody can delete the vault before the lock is gone. It also keeps role assignments in the vault from being deleted, so
   * it is made after all grants and is the first to go. Only on a vault that is made. Default: false.
   */
  readonly lock?: boolean;
  /**
   * Names (GUIDs) of role assignments that existed before, by their names in the stack (`<vault>/<grantee>/<secret>`): Azure
   * refuses a second assignment of a role, and the name of the first cannot be changed. Default: each is named after its
   * scope, role and grantee.
   */
  readonly importedAssignments?: Record<string, string>;
}

/** Returns problems that would silently lose something: a lock that is not created, or a value that another replaces. */
export function keyVaultProblems({
  secrets = {},
  keptSecrets = {},
  existing,
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
  return problems;
}
