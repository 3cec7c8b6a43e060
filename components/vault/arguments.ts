import type * as pulumi from '@pulumi/pulumi';
import { assertName } from '../azure/naming';
import type { LogDestination } from '../logs/diagnosticLogs';
import { InvalidArgumentError } from '../resource/errors';
import type { VaultAccess } from './access';
import type { ImportedAssignments } from './grants';
import type { VaultFirewall, VaultPrivateEndpoint } from './network';

interface CommonKeyVaultArgs {
  /** How the vault decides who may read its secrets. */
  readonly access: VaultAccess;
  /**
   * Values of the secrets to write, by name. One that is no longer here stays in the vault. Default: none: every secret
   * exists in the vault already.
   */
  readonly secrets?: Readonly<Record<string, pulumi.Input<string>>>;
  /** Tags of the secrets. Other tags mean a new version of each secret, with the same value. Default: no tags. */
  readonly secretTags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Role assignments that existed before under other names. Default: each is named by its scope, role and grantee. */
  readonly importedAssignments?: ImportedAssignments;
}

/** A vault that the component makes. */
export interface CreatedKeyVaultArgs extends CommonKeyVaultArgs {
  /** Resource group that it is made in. */
  readonly resourceGroupName: pulumi.Input<string>;
  /** Its name in Azure, unique in all of Azure. */
  readonly vaultName: string;
  /** Entra tenant whose identities may be given access. */
  readonly tenantId: pulumi.Input<string>;
  /** Azure region. Default: the resource group's. */
  readonly location?: pulumi.Input<string>;
  /**
   * Days, 7 to 90, for which deleted secrets and the deleted vault can be recovered; cannot be changed later. Default:
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
  /** Which networks reach the vault; it holds only with `publicAccess`. Default: all that `publicAccess` lets in. */
  readonly firewall?: VaultFirewall;
  /** Private endpoints that are made for it, each in its own subnet. Default: none. */
  readonly privateEndpoints?: readonly VaultPrivateEndpoint[];
  /** Where the record goes of who read and changed what. Default: nowhere. */
  readonly logs?: LogDestination;
  /** Tags of the vault and of its private endpoints. Default: no tags. */
  readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * The vault stays in Azure when it leaves the program, or the stack is destroyed. Its secrets are deleted with it
   * only. Default: true.
   */
  readonly retainOnDelete?: boolean;
  /** Every deletion of the vault is refused, on purpose too. Default: false. */
  readonly protect?: boolean;
}

/** A vault that exists already; it is read, never changed and never deleted. */
export interface ExistingKeyVaultArgs extends CommonKeyVaultArgs {
  /** Its resource id. */
  readonly existing: string;
}

/** Arguments of KeyVault: made here, or existing. */
export type KeyVaultArgs = CreatedKeyVaultArgs | ExistingKeyVaultArgs;

/** Refuses a vault that Azure would refuse. */
export function assertVault(name: string, args: CreatedKeyVaultArgs): void {
  const component = `KeyVault ${name}`;
  assertName({
    component,
    argument: 'vaultName',
    name: args.vaultName,
    type: 'keyVault',
    problem: 'cannot be the name of a vault',
  });
  const days = args.softDeleteRetentionInDays ?? 90;
  if (!Number.isInteger(days) || days < 7 || days > 90) {
    throw new InvalidArgumentError({
      component,
      argument: 'softDeleteRetentionInDays',
      value: String(days),
      problem: 'is not a retention that Azure offers',
      allowed: 'a whole number of days from 7 to 90',
    });
  }
  if (args.firewall !== undefined && args.publicAccess !== true) {
    throw new InvalidArgumentError({
      component,
      argument: 'firewall',
      problem: 'has no effect on a vault without public access',
      allowed: 'a firewall beside `publicAccess: true`',
      remedy: 'Set `publicAccess`, or reach the vault through `privateEndpoints`.',
    });
  }
}

/** Refuses names that no secret can have. */
export function assertSecretNames(vault: string, argument: string, names: readonly string[]): void {
  for (const name of names) {
    assertName({
      component: `KeyVault ${vault}`,
      argument,
      name,
      type: 'keyVaultSecret',
      problem: 'cannot be the name of a secret',
    });
  }
}
