import { ManagementLockByScope } from '@pulumi/azure-native/authorization';
import { getVaultOutput, Secret, Vault } from '@pulumi/azure-native/keyvault';
import * as pulumi from '@pulumi/pulumi';
import { assertExisting, parseGivenId, vaultType } from '../azure/resourceId';
import { stableOutputs } from '../azure/stableOutputs';
import { sendLogs, vaultAuditLogs } from '../logs/diagnosticLogs';
import { checked, oneOf, read } from '../resource/given';
import { Held } from '../resource/held';
import { retention } from '../resource/retention';
import type { VaultAccess } from './access';
import { assertAccess } from './access';
import type { KeyVaultArgs, NewKeyVault } from './arguments';
import { assertArguments, assertVault, assertVaultName } from './arguments';
import { grantByAccessPolicy, grantByRole } from './grants';
import { networkAcls, privateEndpoint } from './network';

/** The vault itself, made or existing. */
interface Parts {
  readonly id: pulumi.Output<string>;
  readonly name: pulumi.Output<string>;
  readonly uri: pulumi.Output<string>;
  readonly resourceGroupName: pulumi.Output<string>;
  readonly tenantId: pulumi.Output<string>;
  /** Readers wait for these as well: without public access, the vault is reached through nothing else. */
  readonly endpoints: readonly pulumi.Resource[];
}

type Readers = (grantee: string, secrets: readonly string[]) => pulumi.Resource[];

const readers = new Held<Readers>();

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

  constructor(name: string, args: KeyVaultArgs, opts?: pulumi.ComponentResourceOptions) {
    super(KeyVault.token, name, {}, opts);
    const component = `KeyVault ${name}`;
    assertArguments(component, args);
    const { create, existing, access } = args;
    const given = oneOf(component, 'args', { create, existing });
    const vault =
      given.kind === 'existing'
        ? existingVault(component, given.value, access, this)
        : createdVault(name, given.value, access, this);
    this.id = vault.id;
    this.uri = vault.uri;
    this.vaultName = vault.name;
    this.resourceGroupName = vault.resourceGroupName;
    this.tenantId = vault.tenantId;
    const { readable, made } =
      access === 'rbac' ? byRole(this, name, args) : byAccessPolicy(this, name, args);
    if (args.lock === true) lock(this, name, [...made, ...vault.endpoints]);
    readers.keep(this, (grantee, secrets) => [
      ...secrets.flatMap((secret) => readable(grantee, secret)),
      ...vault.endpoints,
    ]);
    this.registerOutputs({
      id: this.id,
      uri: this.uri,
      vaultName: this.vaultName,
      resourceGroupName: this.resourceGroupName,
      tenantId: this.tenantId,
    });
  }

  /** For the `dependsOn` option of what reads these secrets as that grantee: access exists only once all of these do. */
  readableBy(grantee: string, secrets: readonly string[]): pulumi.Resource[] {
    return [...new Set(readers.of(this)(grantee, secrets))];
  }
}

/** What the secrets and grants of a vault come to. */
interface Granted {
  /** What makes a grantee read a secret. */
  readonly readable: (grantee: string, secret: string) => readonly pulumi.Resource[];
  readonly made: readonly pulumi.Resource[];
}

function byRole(
  vault: KeyVault,
  name: string,
  { grants = [], importedAssignments, ...args }: KeyVaultArgs,
): Granted {
  const written = writeSecrets(vault, name, args, []);
  const granted = new Map(
    grants.map((grant) => [
      grant.grantee,
      grantByRole(vault, `${name}/${grant.grantee}`, grant, written, importedAssignments),
    ]),
  );
  return {
    readable: (grantee, secret) => {
      const assignment = granted.get(grantee)?.get(secret);
      return assignment === undefined ? [] : [assignment];
    },
    made: [...written.values(), ...[...granted.values()].flatMap((one) => [...one.values()])],
  };
}

/**
 * Of writes to a vault side by side, Azure refuses some with ConflictError ("changed from the point the operation began",
 * pulumi-azure-native #1013), so each waits for the ones before it. Policies first: the value of a secret may come late.
 */
function byAccessPolicy(vault: KeyVault, name: string, { grants = [], ...args }: KeyVaultArgs): Granted {
  const policies = new Map<string, pulumi.Resource>();
  for (const grant of grants) {
    const before = [...policies.values()];
    policies.set(grant.grantee, grantByAccessPolicy(vault, `${name}/${grant.grantee}`, grant, before));
  }
  const written = writeSecrets(vault, name, args, [...policies.values()]);
  return {
    // Not the scope of the policy, but what its readers wait for: a workload that starts finds its secrets.
    readable: (grantee, secret) =>
      [policies.get(grantee), written.get(secret)].filter((one) => one !== undefined),
    made: [...policies.values(), ...written.values()],
  };
}

/** Writes the secrets one after the other, after `before`. */
function writeSecrets(
  vault: KeyVault,
  name: string,
  { secrets = {}, secretTags }: Pick<KeyVaultArgs, 'secrets' | 'secretTags'>,
  before: readonly pulumi.Resource[],
): ReadonlyMap<string, pulumi.Resource> {
  const written = new Map<string, pulumi.Resource>();
  let last = before.slice(-1);
  for (const [secretName, value] of Object.entries(secrets)) {
    const secret = new Secret(
      // A slash, which no name of a vault or secret has: `kv`+`reports-db` and `kv-reports`+`db` must not be one.
      `${name}/${secretName}`,
      {
        resourceGroupName: vault.resourceGroupName,
        vaultName: vault.vaultName,
        secretName,
        properties: { value: pulumi.secret(value) },
        ...(secretTags !== undefined && { tags: secretTags }),
      },
      // A secret goes with its vault only. Deleting one alone takes a right on the vault's data plane, which who deploys has
      // no other use for.
      { parent: vault, retainOnDelete: true, dependsOn: last },
    );
    written.set(secretName, secret);
    last = [secret];
  }
  return written;
}

/** It keeps role assignments in the vault from being deleted (azure-docs azure-resource-manager/management/lock-resources). */
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

function createdVault(name: string, args: NewKeyVault, access: VaultAccess, parent: pulumi.Resource): Parts {
  const component = `KeyVault ${name}`;
  assertVault(component, args);
  const vault = new Vault(
    name,
    {
      resourceGroupName: args.resourceGroupName,
      vaultName: checked(args.vaultName, (given) => assertVaultName(component, given)),
      ...(args.location !== undefined && { location: args.location }),
      properties: {
        tenantId: args.tenantId,
        sku: { family: 'A', name: 'standard' },
        // Said in either mode: API versions differ in what a vault is that does not say (Azure/azure-cli #34020).
        enableRbacAuthorization: access === 'rbac',
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
    { parent, ...retention(args) },
  );
  const { uri, tenantId } = stableOutputs(
    { id: vault.id, type: vaultType },
    addressOf(vault.properties),
    ({ resourceGroupName, name: vaultName }) =>
      addressOf(getVaultOutput({ resourceGroupName, vaultName }, { parent }).properties),
  );
  if (args.logs !== undefined) sendLogs(`${name}-logs`, vault.id, vaultAuditLogs, args.logs, { parent });
  const { vaultName, resourceGroupName, location, tags, privateEndpoints = [] } = args;
  const target = {
    ...{ name, vaultName, vaultId: vault.id, resourceGroupName },
    ...(location !== undefined && { location }),
    ...(tags !== undefined && { tags }),
  };
  return {
    id: vault.id,
    name: vault.name,
    uri,
    resourceGroupName: pulumi.output(resourceGroupName),
    tenantId,
    endpoints: privateEndpoints.flatMap((endpoint) => privateEndpoint(target, endpoint, { parent })),
  };
}

function existingVault(
  component: string,
  given: pulumi.Input<string>,
  access: VaultAccess,
  parent: pulumi.Resource,
): Parts {
  const { resourceGroupName, name: vaultName } = read(given, (id) =>
    parseGivenId({
      component,
      argument: 'existing',
      id,
      type: vaultType,
      what: 'a key vault',
      command: 'az keyvault show --query id',
    }),
  );
  // Checked where the vault's answer is used, so that nothing is granted in a mode that the vault ignores.
  const vault = pulumi
    .all([given, getVaultOutput({ resourceGroupName, vaultName }, { parent })])
    .apply(([id, found]) => {
      assertExisting(component, id, found.id);
      assertAccess({ vault: found.name, component, access }, found.properties.enableRbacAuthorization);
      return found;
    });
  return {
    id: vault.id,
    name: vault.name,
    uri: vault.properties.vaultUri,
    resourceGroupName,
    tenantId: vault.properties.tenantId,
    endpoints: [],
  };
}

/** What is used of a vault's properties. */
function addressOf(properties: pulumi.Output<{ vaultUri: string; tenantId: string }>) {
  return { uri: properties.vaultUri, tenantId: properties.tenantId };
}
