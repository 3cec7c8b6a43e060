import { getVaultOutput, Secret, Vault } from '@pulumi/azure-native/keyvault';
import * as pulumi from '@pulumi/pulumi';
import { InvalidArgumentError } from './errors';
import type { Grant, Grantee } from './grant';
import type { VaultAccess } from './keyVaultAccess';
import { assertAccess } from './keyVaultAccess';
import { grantByAccessPolicy, grantByRole } from './keyVaultGrants';
import { isValidName, nameRule } from './naming';
import { assertAdopted, parseResourceId, tryParseResourceId } from './resourceId';
import { stableOutputs } from './stableOutputs';

interface CommonKeyVaultArgs {
  /** How the vault decides who may read its secrets. */
  readonly access: VaultAccess;
  /**
   * Values of the secrets to write, by name. One that is no longer here stays in the vault.
   * @default none: every secret exists in the vault already
   */
  readonly secrets?: Readonly<Record<string, pulumi.Input<string>>>;
}

/** A vault that the component makes. */
export interface CreatedKeyVaultArgs extends CommonKeyVaultArgs {
  readonly resourceGroupName: pulumi.Input<string>;
  /** Its name in Azure, unique in all of Azure. */
  readonly vaultName: string;
  /** Entra tenant whose identities may be given access. */
  readonly tenantId: pulumi.Input<string>;
  /**
   * Azure region.
   * @default the resource group's
   */
  readonly location?: pulumi.Input<string>;
  /**
   * Days, 7 to 90, for which deleted secrets and the deleted vault can be recovered; cannot be changed later.
   * @default 90
   */
  readonly softDeleteRetentionInDays?: number;
  /**
   * Nobody can purge the vault or a secret before the retention is over. Cannot be switched off again.
   * @default true
   */
  readonly purgeProtection?: boolean;
  /**
   * Reachable from the internet (every request still needs a token with access).
   * @default false: only through private endpoints
   */
  readonly publicAccess?: boolean;
  /** @default no tags */
  readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Refuse to delete the vault.
   * @default true
   */
  readonly protect?: boolean;
}

/** A vault that exists already; it is read, never changed and never deleted. */
export interface AdoptedKeyVaultArgs extends CommonKeyVaultArgs {
  /** Its resource id. */
  readonly adopt: string;
}

/** Arguments of KeyVault: made here, or adopted. */
export type KeyVaultArgs = CreatedKeyVaultArgs | AdoptedKeyVaultArgs;

const vaultType = 'Microsoft.KeyVault/vaults';

/** A key vault, made here or adopted, its secrets, and the grants on them. */
export class KeyVault extends pulumi.ComponentResource {
  /** Resource id. */
  readonly id: pulumi.Output<string>;
  /** `https://<name>.vault.azure.net/`. */
  readonly uri: pulumi.Output<string>;
  /** Name in Azure. */
  readonly vaultName: pulumi.Output<string>;
  /** Resource group that the vault is in. */
  readonly resourceGroupName: pulumi.Output<string>;
  /** Entra tenant whose identities may be given access. */
  readonly tenantId: pulumi.Output<string>;
  /** How the vault decides who may read. */
  readonly access: VaultAccess;
  /** The secrets that the component writes, by name. */
  readonly secrets: ReadonlyMap<string, Secret>;
  /**
   * What is written to the vault, in order. Of writes side by side, Azure refuses some with ConflictError ("changed
   * from the point the operation began", pulumi-azure-native #1013), so each waits for the ones before it.
   */
  private readonly writes: pulumi.Resource[] = [];

  constructor(
    private readonly componentName: string,
    args: KeyVaultArgs,
    opts?: pulumi.ComponentResourceOptions,
  ) {
    super('aks-workload-identity:vault:KeyVault', componentName, {}, opts);
    assertSecretNames(componentName, 'secrets', Object.keys(args.secrets ?? {}));
    const vault = 'adopt' in args ? this.adopt(args) : this.create(args);
    this.access = args.access;
    this.id = vault.id;
    this.uri = vault.uri;
    this.vaultName = vault.name;
    this.resourceGroupName = vault.resourceGroupName;
    this.tenantId = vault.tenantId;
    this.secrets = new Map(
      Object.entries(args.secrets ?? {}).map(([name, value]) => [name, this.secret(name, value)]),
    );
    this.registerOutputs({ id: this.id, uri: this.uri, vaultName: this.vaultName });
  }

  /**
   * Lets `grantee` read `secrets`. By role: each of them and no other, so the grant costs one role assignment a
   * secret. By access policy: every secret of the vault, whatever is named, since a policy cannot name secrets;
   * and once only for each grantee, since a vault holds one policy for each.
   */
  grantSecrets(grantee: Grantee, ...secrets: readonly string[]): Grant {
    assertSecretNames(this.componentName, `grantSecrets(${grantee.grantName})`, secrets);
    const grantName = `${this.componentName}/${grantee.grantName}`;
    const names = [...new Set(secrets)].sort();
    return this.access === 'rbac'
      ? grantByRole(this, grantName, grantee, names)
      : grantByAccessPolicy(this, grantName, grantee, names, this.writes);
  }

  private create(args: CreatedKeyVaultArgs) {
    assertVault(this.componentName, args);
    const vault = new Vault(
      this.componentName,
      {
        resourceGroupName: args.resourceGroupName,
        vaultName: args.vaultName,
        ...(args.location !== undefined && { location: args.location }),
        properties: {
          tenantId: args.tenantId,
          sku: { family: 'A', name: 'standard' },
          // Said in either mode: API versions differ in what a vault is that does not say (Azure/azure-cli #34020).
          enableRbacAuthorization: args.access === 'rbac',
          enableSoftDelete: true,
          softDeleteRetentionInDays: args.softDeleteRetentionInDays ?? 90,
          publicNetworkAccess: args.publicAccess === true ? 'Enabled' : 'Disabled',
          // Azure refuses an explicit false: the property can only be switched on.
          ...((args.purgeProtection ?? true) && { enablePurgeProtection: true }),
          // No `accessPolicies`: they are resources of their own here. The provider sends an empty list on creation
          // and keeps what is there on update only if the program says nothing (pulumi-azure-native PR #2951).
        },
        ...(args.tags !== undefined && { tags: args.tags }),
      },
      { parent: this, protect: args.protect ?? true },
    );
    const { uri, tenantId } = stableOutputs(vault.id, addressOf(vault.properties), (id) => {
      const found = id.apply((text) => parseResourceId(text, vaultType));
      const { resourceGroupName, name: vaultName } = found;
      return addressOf(getVaultOutput({ resourceGroupName, vaultName }, { parent: this }).properties);
    });
    return {
      id: vault.id,
      name: vault.name,
      uri,
      resourceGroupName: pulumi.output(args.resourceGroupName),
      tenantId,
    };
  }

  private adopt({ adopt, access }: AdoptedKeyVaultArgs) {
    const parsed = tryParseResourceId(adopt);
    if (parsed?.type.toLowerCase() !== vaultType.toLowerCase()) {
      throw new InvalidArgumentError({
        component: `KeyVault ${this.componentName}`,
        argument: 'adopt',
        value: adopt,
        problem: 'is not the id of a key vault',
        allowed: `/subscriptions/<id>/resourceGroups/<group>/providers/${vaultType}/<name>`,
        remedy: '`az keyvault show --query id` prints it.',
      });
    }
    const { resourceGroupName, name: vaultName } = parsed;
    const wanted = { vault: vaultName, component: `KeyVault ${this.componentName}`, access };
    // Checked where the vault's answer is used, so that nothing is granted in a mode that the vault ignores.
    const vault = getVaultOutput({ resourceGroupName, vaultName }, { parent: this }).apply((found) => {
      assertAdopted(wanted.component, adopt, found.id);
      assertAccess(wanted, found.properties.enableRbacAuthorization);
      return found;
    });
    return {
      id: vault.id,
      name: vault.name,
      uri: vault.properties.vaultUri,
      resourceGroupName: pulumi.output(resourceGroupName),
      tenantId: vault.properties.tenantId,
    };
  }

  private secret(name: string, value: pulumi.Input<string>): Secret {
    const secret = new Secret(
      // A slash, which no name of a vault or secret has: `kv`+`reports-db` and `kv-reports`+`db` must not be one.
      `${this.componentName}/${name}`,
      {
        resourceGroupName: this.resourceGroupName,
        vaultName: this.vaultName,
        secretName: name,
        properties: { value: pulumi.secret(value) },
      },
      // What is in a vault is data: dropping an application drops its grants, not its secrets. And deleting one
      // takes a right on the vault's data plane, which who deploys has no other use for.
      { parent: this, retainOnDelete: true, dependsOn: this.writes.slice(-1) },
    );
    this.writes.push(secret);
    return secret;
  }
}

/** What is used of a vault's properties. */
function addressOf(properties: pulumi.Output<{ vaultUri: string; tenantId: string }>) {
  return { uri: properties.vaultUri, tenantId: properties.tenantId };
}

function assertVault(name: string, args: CreatedKeyVaultArgs): void {
  const component = `KeyVault ${name}`;
  if (!isValidName('keyVault', args.vaultName)) {
    throw new InvalidArgumentError({
      component,
      argument: 'vaultName',
      value: args.vaultName,
      problem: 'cannot be the name of a vault',
      allowed: nameRule('keyVault').allowed,
    });
  }
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
}

function assertSecretNames(vault: string, argument: string, names: readonly string[]): void {
  for (const name of names) {
    if (isValidName('keyVaultSecret', name)) continue;
    throw new InvalidArgumentError({
      component: `KeyVault ${vault}`,
      argument,
      value: name,
      problem: 'cannot be the name of a secret',
      allowed: nameRule('keyVaultSecret').allowed,
    });
  }
}
