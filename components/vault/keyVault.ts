import { ManagementLockByScope } from '@pulumi/azure-native/authorization';
import { getVaultOutput, Vault } from '@pulumi/azure-native/keyvault';
import * as pulumi from '@pulumi/pulumi';
import { checkedArguments } from '../azure/arguments';
import { existingResource } from '../azure/existingResource';
import { stableOutputs } from '../azure/stableOutputs';
import { sendLogs, vaultAuditLogs } from '../logs/diagnosticLogs';
import { InvalidArgumentError } from '../resource/errors';
import { oneOf } from '../resource/argumentValues';
import { PrivateState } from '../resource/privateState';
import { retention } from '../resource/newResource';
import type { VaultAccess } from './access';
import { assertAccess } from './access';
import type { KeyVaultArgs, NewKeyVault } from './arguments';
import { keyVaultProblems } from './arguments';
import { grantByAccessPolicy, grantByRole } from './grants';
import { endpointInSubnet, networkAcls } from './network';

type Readers = (grantee: string, secrets: readonly string[]) => pulumi.Resource[];

const heldReaders = new PrivateState<Readers>();

/** A key vault, new or existing, with its secrets and the grants on them. */
export class KeyVault extends pulumi.ComponentResource {
  /** Resource id. */
  readonly id: pulumi.Output<string>;
  /** URI of the vault, `https://<name>.vault.azure.net/`. */
  readonly uri: pulumi.Output<string>;
  /** Name in Azure. */
  readonly vaultName: pulumi.Output<string>;
  /** Resource group of the vault. */
  readonly resourceGroupName: pulumi.Output<string>;
  /** Entra tenant of the identities that can be granted access. */
  readonly tenantId: pulumi.Output<string>;

  constructor(name: string, args: KeyVaultArgs, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:vault:KeyVault', name, {}, opts);
    args = checkedArguments('KeyVault', name, args, keyVaultProblems);
    const { create, existing, access } = args;
    const source = oneOf({ create, existing });
    const { endpoints, ...outputs } =
      source.kind === 'create'
        ? createdVault(name, source.value, access, this)
        : existingVault(`KeyVault ${name}`, source.value, access, this);
    this.id = outputs.id;
    this.uri = outputs.uri;
    this.vaultName = outputs.vaultName;
    this.resourceGroupName = outputs.resourceGroupName;
    this.tenantId = outputs.tenantId;
    const { accessTo, resources } = (access === 'rbac' ? grantByRole : grantByAccessPolicy)(this, name, args);
    if (args.lock === true) lock(this, name, [...resources, ...endpoints]);
    heldReaders.keep(this, (grantee, secrets) => {
      const granted = args.grants?.find((grant) => grant.grantee === grantee)?.secrets ?? [];
      const missing = secrets.filter((secret) => !granted.includes(secret));
      if (missing.length > 0)
        throw new InvalidArgumentError(`KeyVault ${name}`, {
          ...{ argument: 'grantee', value: grantee, problem: `has no grant on ${missing.join(', ')}` },
          allowed: 'the secrets of its entry in `grants`',
        });
      const needed = secrets.flatMap((secret) => accessTo(grantee, secret));
      // Without public access, the vault can only be reached through its endpoints.
      return [...new Set([...needed, ...endpoints])].filter((resource) => resource !== undefined);
    });
    this.registerOutputs(outputs);
  }

  /**
   * Returns resources for the `dependsOn` option of a reader of these secrets: the grantee has access only once all of them
   * exist.
   * @throws InvalidArgumentError if `grants` does not name all of them for the grantee
   */
  readableBy(grantee: string, secrets: readonly string[]): pulumi.Resource[] {
    return heldReaders.of(this)(grantee, secrets);
  }
}

/**
 * Deploys a lock. It also keeps role assignments in the vault from being deleted (azure-docs
 * azure-resource-manager/management/lock-resources).
 */
function lock(vault: KeyVault, name: string, dependsOn: pulumi.Resource[]): void {
  new ManagementLockByScope(
    `${name}-lock`,
    {
      scope: vault.id,
      lockName: 'aks-workload-identity',
      level: 'CanNotDelete',
      notes: 'Set by aks-workload-identity: `lock` of the vault in the stack file.',
    },
    { parent: vault, dependsOn },
  );
}

function createdVault(name: string, args: NewKeyVault, access: VaultAccess, parent: pulumi.Resource) {
  const { resourceGroupName, location, tags, firewall, privateEndpoints = [], logs } = args;
  const vault = new Vault(
    name,
    {
      resourceGroupName,
      vaultName: args.vaultName,
      location,
      properties: {
        tenantId: args.tenantId,
        sku: { family: 'A', name: 'standard' },
        // Set in both modes, because API versions differ in their default (Azure/azure-cli #34020).
        enableRbacAuthorization: access === 'rbac',
        enableSoftDelete: true,
        softDeleteRetentionInDays: args.softDeleteRetentionInDays ?? 90,
        publicNetworkAccess: args.publicAccess === true ? 'Enabled' : 'Disabled',
        networkAcls: firewall && networkAcls(firewall),
        // Azure refuses an explicit false: the property can only be enabled.
        enablePurgeProtection: args.purgeProtection === false ? undefined : true,
        // No `accessPolicies`: here, they are separate resources. The provider sends an empty list on creation, and keeps
        // existing policies on update only if the program names none (pulumi-azure-native PR #2951).
      },
      tags,
    },
    { parent, ...retention(args) },
  );
  if (logs !== undefined) sendLogs(`${name}-logs`, vault.id, vaultAuditLogs, logs, { parent });
  const endpoints = privateEndpoints.flatMap((endpoint) =>
    endpointInSubnet(name, vault.id, args, endpoint, { parent }),
  );
  return {
    id: vault.id,
    vaultName: vault.name,
    resourceGroupName: pulumi.output(resourceGroupName),
    ...stableOutputs(vault.id, addressOf(vault), ({ resourceGroupName: group, name: vaultName }) =>
      addressOf(getVaultOutput({ resourceGroupName: group, vaultName }, { parent })),
    ),
    endpoints,
  };
}

function existingVault(
  component: string,
  id: pulumi.Input<string>,
  access: VaultAccess,
  parent: pulumi.Resource,
) {
  const { place, found } = existingResource(id, component, ({ resourceGroupName, name: vaultName }) =>
    getVaultOutput({ resourceGroupName, vaultName }, { parent }),
  );
  // Checked before any output is used: otherwise, access could be granted in a mode that the vault ignores.
  const vault = found.apply((resource) => {
    assertAccess({ vault: resource.name, component, access }, resource.properties.enableRbacAuthorization);
    return resource;
  });
  return {
    id: vault.id,
    vaultName: vault.name,
    resourceGroupName: place.resourceGroupName,
    ...addressOf(vault),
    endpoints: [],
  };
}

/** Returns the outputs that no update changes. */
function addressOf({ properties }: { properties: pulumi.Output<{ vaultUri: string; tenantId: string }> }) {
  return { uri: properties.vaultUri, tenantId: properties.tenantId };
}
