import type * as pulumi from '@pulumi/pulumi';
import { assertName } from '../azure/naming';
import type { LogDestination } from '../logs/diagnosticLogs';
import { InvalidArgumentError } from '../resource/errors';
import { assertKnown } from '../resource/given';
import type { VaultAccess } from './access';
import type { VaultFirewall, VaultPrivateEndpoint } from './network';

/** A vault that the component makes. */
export interface NewKeyVault {
  /** Resource group that it is made in. */
  readonly resourceGroupName: pulumi.Input<string>;
  /** Its name in Azure, unique in all of Azure. */
  readonly vaultName: pulumi.Input<string>;
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
  readonly privateEndpoints?: VaultPrivateEndpoint[];
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

/** Who may read which secrets. */
export interface SecretGrant {
  /** Name that the grant is known by in the stack; each once for a vault. */
  readonly grantee: string;
  /** Object id in Entra of who may read. */
  readonly principalId: pulumi.Input<string>;
  /**
   * Names of the secrets. By role: these and no other, for one role assignment each. By access policy: every secret of the
   * vault, whatever is named, since a policy cannot name secrets.
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
   * Values of the secrets to write, by name, written one after the other. One that is no longer here stays in the vault.
   * Default: none: every secret exists in the vault already.
   */
  readonly secrets?: Record<string, pulumi.Input<string>>;
  /** Tags of the secrets. Other tags mean a new version of each secret, with the same value. Default: no tags. */
  readonly secretTags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Who may read which secrets. Default: nobody. */
  readonly grants?: SecretGrant[];
  /**
   * Nobody can delete the vault before the lock is gone. It also keeps role assignments in the vault from being deleted, so
   * it is made after all grants and is the first to go. Default: false.
   */
  readonly lock?: boolean;
  /**
   * Names (GUIDs) of role assignments that existed before, by their names in the stack (`<vault>/<grantee>/<secret>`): Azure
   * refuses a second assignment of a role, and the name of the first cannot be changed. Default: each is named by its scope,
   * role and grantee.
   */
  readonly importedAssignments?: Record<string, string>;
}

/** Refuses what Azure would refuse, and values that are known too late where resources are named by them. */
export function assertArguments(
  component: string,
  { access, secrets = {}, grants = [], lock, importedAssignments }: KeyVaultArgs,
): void {
  assertKnown(component, { access, lock, importedAssignments, secrets: Object.keys(secrets) });
  assertKnown(component, {
    grants: grants.map(({ grantee, secrets: names }) => ({ grantee, secrets: names })),
  });
  assertSecretNames(component, 'secrets', Object.keys(secrets));
  const seen = new Set<string>();
  grants.forEach(({ grantee, secrets: names }, index) => {
    assertSecretNames(component, `grants[${index}].secrets`, names);
    if (seen.has(grantee)) {
      throw new InvalidArgumentError({
        component,
        argument: `grants[${index}].grantee`,
        value: grantee,
        problem: 'has a grant already',
        allowed: 'each once for a vault, with all of its secrets',
      });
    }
    seen.add(grantee);
  });
}

/** Refuses a vault that Azure would refuse. */
export function assertVault(component: string, args: NewKeyVault): void {
  const { publicAccess, firewall, privateEndpoints, purgeProtection } = args;
  const { softDeleteRetentionInDays: days = 90 } = args;
  assertKnown(component, { softDeleteRetentionInDays: days, publicAccess, purgeProtection });
  assertKnown(component, { privateEndpoints: privateEndpoints?.map(({ subnet }) => ({ subnet })) });
  if (!Number.isInteger(days) || days < 7 || days > 90) {
    throw new InvalidArgumentError({
      component,
      argument: 'softDeleteRetentionInDays',
      value: String(days),
      problem: 'is not a retention that Azure offers',
      allowed: 'a whole number of days from 7 to 90',
    });
  }
  if (firewall !== undefined && publicAccess !== true) {
    throw new InvalidArgumentError({
      component,
      argument: 'firewall',
      problem: 'has no effect on a vault without public access',
      allowed: 'a firewall beside `publicAccess: true`',
      remedy: 'Set `publicAccess`, or reach the vault through `privateEndpoints`.',
    });
  }
}

/** Refuses names that no vault can have. */
export function assertVaultName(component: string, name: string): void {
  assertName({
    component,
    argument: 'vaultName',
    name,
    type: 'keyVault',
    problem: 'cannot be the name of a vault',
  });
}

function assertSecretNames(component: string, argument: string, names: readonly string[]): void {
  for (const name of names) {
    assertName({
      component,
      argument,
      name,
      type: 'keyVaultSecret',
      problem: 'cannot be the name of a secret',
    });
  }
}
