import { ManagementLockByScope } from '@pulumi/azure-native/authorization';
import type { AccessPolicy } from '@pulumi/azure-native/keyvault';
import { getVaultOutput, Secret, Vault } from '@pulumi/azure-native/keyvault';
import * as pulumi from '@pulumi/pulumi';
import { assertExisting, parseGivenId, vaultType } from '../azure/resourceId';
import { stableOutputs } from '../azure/stableOutputs';
import { sendLogs, vaultAuditLogs } from '../logs/diagnosticLogs';
import { retention } from '../resource/retention';
import type { VaultAccess } from './access';
import { assertAccess } from './access';
import type { ExistingKeyVaultArgs, CreatedKeyVaultArgs, KeyVaultArgs } from './arguments';
import { assertSecretNames, assertVault } from './arguments';
import type { Grantee } from './grant';
import { Grant } from './grant';
import type { ImportedAssignments } from './grants';
import { grantByAccessPolicy, grantByRole } from './grants';
import { networkAcls, privateEndpoint } from './network';

/** A key vault, made here or existing, its secrets, and the grants on them. */
export class KeyVault extends pulumi.ComponentResource {
  /** Type token in the stack. */
  static readonly token = 'aks-workload-identity:vault:KeyVault';
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
  readonly secrets = new Map<string, Secret>();
  /**
   * What is written to the vault, in order. Of writes side by side, Azure refuses some with ConflictError ("changed
   * from the point the operation began", pulumi-azure-native #1013), so each waits for the ones before it.
   */
  private readonly writes: pulumi.Resource[] = [];
  private readonly importedAssignments: ImportedAssignments;
  private readonly secretTags: KeyVaultArgs['secretTags'];
  /** The policies of the grantees, by the names of their grants. */
  private readonly policies = new Map<string, AccessPolicy>();
  /** What the grants are made of. */
  private readonly assignments: pulumi.Resource[] = [];
  /** Readers wait for these as well: without public access, the vault is reached through nothing else. */
  private readonly endpoints: pulumi.Resource[] = [];

  constructor(
    private readonly componentName: string,
    args: KeyVaultArgs,
    opts?: pulumi.ComponentResourceOptions,
  ) {
    super(KeyVault.token, componentName, {}, opts);
    assertSecretNames(componentName, 'secrets', Object.keys(args.secrets ?? {}));
    this.secretTags = args.secretTags;
    const vault = 'existing' in args ? this.read(args) : this.create(args);
    this.access = args.access;
    this.importedAssignments = args.importedAssignments ?? {};
    this.id = vault.id;
    this.uri = vault.uri;
    this.vaultName = vault.name;
    this.resourceGroupName = vault.resourceGroupName;
    this.tenantId = vault.tenantId;
    for (const [name, value] of Object.entries(args.secrets ?? {})) this.writeSecret(name, value);
    this.registerOutputs({ id: this.id, uri: this.uri, vaultName: this.vaultName });
  }

  /**
   * Lets `grantee` read `secrets`. By role: each of them and no other, so the grant costs one role assignment a
   * secret. By access policy: every secret of the vault, whatever is named, since a policy cannot name secrets;
   * and the same one each time that it is asked for, since a vault holds one policy for each grantee.
   */
  grantSecrets(grantee: Grantee, ...secrets: readonly string[]): Grant {
    assertSecretNames(this.componentName, `grantSecrets(${grantee.grantName})`, secrets);
    const grantName = `${this.componentName}/${grantee.grantName}`;
    const names = [...new Set(secrets)].sort();
    const assignments =
      this.access === 'rbac'
        ? grantByRole(this, grantName, grantee, names, this.importedAssignments).assignments
        : this.policyGrant(grantName, grantee, names).assignments;
    this.assignments.push(...assignments);
    return new Grant(names, [...assignments, ...this.endpoints]);
  }

  private policyGrant(grantName: string, grantee: Grantee, names: readonly string[]): Grant {
    const known = this.policies.get(grantName);
    const { grant, policy } = grantByAccessPolicy(this, grantName, grantee, names, this.writes, known);
    this.policies.set(grantName, policy);
    return grant;
  }

  /**
   * Lets nobody delete the vault before the lock is gone. It also keeps role assignments in the vault from being
   * deleted (azure-docs articles/azure-resource-manager/management/lock-resources), so it is made after all grants and
   * is the first to go: call it last.
   */
  lock(): void {
    new ManagementLockByScope(
      `${this.componentName}-lock`,
      {
        scope: this.id,
        lockName: 'aks-workload-identity',
        level: 'CanNotDelete',
        notes: 'Set by aks-workload-identity: `lock` of the vault in the stack file.',
      },
      { parent: this, dependsOn: [...this.assignments, ...this.writes, ...this.endpoints] },
    );
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
          ...(args.firewall !== undefined && { networkAcls: networkAcls(args.firewall) }),
          // Azure refuses an explicit false: the property can only be switched on.
          ...((args.purgeProtection ?? true) && { enablePurgeProtection: true }),
          // No `accessPolicies`: they are resources of their own here. The provider sends an empty list on creation
          // and keeps what is there on update only if the program says nothing (pulumi-azure-native PR #2951).
        },
        ...(args.tags !== undefined && { tags: args.tags }),
      },
      { parent: this, ...retention(args) },
    );
    this.surroundings(args, vault.id);
    const { uri, tenantId } = stableOutputs(
      { id: vault.id, type: vaultType },
      addressOf(vault.properties),
      ({ resourceGroupName, name: vaultName }) =>
        addressOf(getVaultOutput({ resourceGroupName, vaultName }, { parent: this }).properties),
    );
    return {
      id: vault.id,
      name: vault.name,
      uri,
      resourceGroupName: pulumi.output(args.resourceGroupName),
      tenantId,
    };
  }

  /** What is made around a vault. */
  private surroundings(args: CreatedKeyVaultArgs, vaultId: pulumi.Output<string>): void {
    const { vaultName, resourceGroupName, location, tags, logs } = args;
    const target = {
      ...{ name: this.componentName, vaultName, vaultId, resourceGroupName },
      ...(location !== undefined && { location }),
      ...(tags !== undefined && { tags }),
    };
    for (const endpoint of args.privateEndpoints ?? []) {
      this.endpoints.push(...privateEndpoint(target, endpoint, { parent: this }));
    }
    if (logs !== undefined)
      sendLogs(`${this.componentName}-logs`, vaultId, vaultAuditLogs, logs, { parent: this });
  }

  private read({ existing, access }: ExistingKeyVaultArgs) {
    const component = `KeyVault ${this.componentName}`;
    const { resourceGroupName, name: vaultName } = parseGivenId({
      component,
      argument: 'existing',
      id: existing,
      type: vaultType,
      what: 'a key vault',
      command: 'az keyvault show --query id',
    });
    const wanted = { vault: vaultName, component, access };
    // Checked where the vault's answer is used, so that nothing is granted in a mode that the vault ignores.
    const vault = getVaultOutput({ resourceGroupName, vaultName }, { parent: this }).apply((found) => {
      assertExisting(component, existing, found.id);
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

  /** Writes a secret, after all that was written to the vault before. */
  writeSecret(name: string, value: pulumi.Input<string>): Secret {
    assertSecretNames(this.componentName, 'writeSecret', [name]);
    const secret = new Secret(
      // A slash, which no name of a vault or secret has: `kv`+`reports-db` and `kv-reports`+`db` must not be one.
      `${this.componentName}/${name}`,
      {
        resourceGroupName: this.resourceGroupName,
        vaultName: this.vaultName,
        secretName: name,
        properties: { value: pulumi.secret(value) },
        ...(this.secretTags !== undefined && { tags: this.secretTags }),
      },
      // A secret goes with its vault only. Deleting one alone takes a right on the vault's data plane, which who deploys has
      // no other use for.
      {
        parent: this,
        retainOnDelete: true,
        dependsOn: this.writes.slice(-1),
      },
    );
    this.writes.push(secret);
    this.secrets.set(name, secret);
    return secret;
  }
}

/** What is used of a vault's properties. */
function addressOf(properties: pulumi.Output<{ vaultUri: string; tenantId: string }>) {
  return { uri: properties.vaultUri, tenantId: properties.tenantId };
}
