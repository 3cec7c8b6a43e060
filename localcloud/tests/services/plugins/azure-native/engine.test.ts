import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { readFileSync } from 'node:fs';
import * as pulumi from '@pulumi/pulumi';
import * as automation from '@pulumi/pulumi/automation';
import * as authorization from '@pulumi/azure-native/authorization';
import * as containerservice from '@pulumi/azure-native/containerservice';
import * as keyvault from '@pulumi/azure-native/keyvault';
import * as managedidentity from '@pulumi/azure-native/managedidentity';
import * as resources from '@pulumi/azure-native/resources';
import { openEngine } from '../../../support/plugins/engine';
import { withCloud } from '../../../support/azure';
import { installPlugin, PluginProcess } from '../../../support/plugins/pluginProcess';

// Proves, with the real engine and the real npm package, that the plugin behaves like the official one: create,
// preview, no change, update, replace, refresh, import and delete, for every type.

/** Differences of the program between runs. */
interface Variant {
  issuer: string;
  team: string;
  secretValue: string;
  /** Another principal for the role assignment, which replaces it. */
  reader: 'first' | 'second';
}

const base: Variant = {
  issuer: 'https://issuer.example/',
  team: 'a',
  secretValue: 'value-number-one',
  reader: 'first',
};
const names = { vault: `kv-${randomUUID().slice(0, 8)}`, policyVault: `kv-${randomUUID().slice(0, 8)}` };
const officer = 'b86a8fe4-44ce-4948-aee5-eccb2c155cd7';
const user = '4633458b-17de-408a-b874-0445c86b69e6';

function program(variant: Variant): automation.PulumiFn {
  return async () => {
    const client = await authorization.getClientConfig();
    const role = (id: string): string =>
      `/subscriptions/${client.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${id}`;
    const group = new resources.ResourceGroup('group', {
      location: 'westeurope',
      tags: { team: variant.team },
    });
    const resourceGroupName = group.name;
    const first = new managedidentity.UserAssignedIdentity('first', { resourceGroupName });
    const second = new managedidentity.UserAssignedIdentity('second', { resourceGroupName });
    const cluster = new containerservice.ManagedCluster('cluster', {
      resourceGroupName,
      dnsPrefix: 'aks',
      identity: { type: 'UserAssigned', userAssignedIdentities: [first.id] },
      oidcIssuerProfile: { enabled: true },
      securityProfile: { workloadIdentity: { enabled: true } },
      agentPoolProfiles: [{ name: 'system', mode: 'System', count: 1, vmSize: 'Standard_D2s_v5' }],
      tags: { team: variant.team },
    });
    new managedidentity.FederatedIdentityCredential('credential', {
      resourceGroupName,
      resourceName: first.name,
      issuer: variant.issuer,
      subject: 'system:serviceaccount:shop:orders',
      audiences: ['api://AzureADTokenExchange'],
    });
    const properties = {
      tenantId: client.tenantId,
      sku: { family: 'A' as const, name: 'standard' as const },
    };
    const vault = new keyvault.Vault('vault', {
      resourceGroupName,
      vaultName: names.vault,
      properties: { ...properties, enableRbacAuthorization: true },
    });
    const mayWrite = new authorization.RoleAssignment('officer', {
      scope: vault.id,
      principalId: client.objectId,
      principalType: 'ServicePrincipal',
      roleDefinitionId: role(officer),
    });
    const secret = new keyvault.Secret(
      'secret',
      { resourceGroupName, vaultName: vault.name, properties: { value: pulumi.secret(variant.secretValue) } },
      { dependsOn: mayWrite },
    );
    new authorization.RoleAssignment('reader', {
      scope: secret.id,
      principalId: variant.reader === 'first' ? first.principalId : second.principalId,
      principalType: 'ServicePrincipal',
      roleDefinitionId: role(user),
    });
    const policyVault = new keyvault.Vault('policy-vault', {
      resourceGroupName,
      vaultName: names.policyVault,
      properties: { ...properties, enableRbacAuthorization: false },
    });
    const policy = new keyvault.AccessPolicy('policy', {
      resourceGroupName,
      vaultName: policyVault.name,
      policy: { tenantId: client.tenantId, objectId: first.principalId, permissions: { secrets: ['get'] } },
    });
    const credentials = containerservice.listManagedClusterUserCredentialsOutput({
      resourceGroupName,
      resourceName: cluster.name,
    });
    return {
      issuer: cluster.oidcIssuerProfile.apply((profile) => profile?.issuerURL ?? 'absent'),
      clientId: first.clientId,
      vaultUri: vault.properties.apply((vaultProperties) => vaultProperties.vaultUri),
      ids: { identity: first.id, vault: vault.id, policy: policy.id },
      kubeconfig: credentials.apply(({ kubeconfigs }) => kubeconfigs[0]?.value ?? ''),
    };
  };
}

const cloud = withCloud({ groups: [] });
let settings: automation.LocalWorkspaceOptions;
let stack: automation.Stack;
let backend: string;

beforeAll(async () => {
  ({ settings, backend } = await openEngine(cloud));
  stack = await automation.LocalWorkspace.createOrSelectStack(
    { stackName: 'test', projectName: 'azure-native-engine', program: program(base) },
    settings,
  );
}, 600_000);

/** Eleven resources and the stack. */
const resourceCount = 12;

describe('the real engine with the plugin', () => {
  it('previews unknown values', async () => {
    const preview = await stack.preview();
    expect(preview.changeSummary).toEqual({ create: resourceCount });
  }, 120_000);

  it('creates every type, and returns the service’s outputs', async () => {
    const result = await stack.up();
    expect(result.summary.resourceChanges).toEqual({ create: resourceCount });
    expect(result.outputs['issuer']?.value).toMatch(/^https:\/\/.+\/$/);
    expect(result.outputs['clientId']?.value).toMatch(/^[0-9a-f-]{36}$/);
    expect(result.outputs['vaultUri']?.value).toBe(`https://${names.vault}.vault.azure.net/`);
    expect(result.outputs['kubeconfig']?.secret).toBe(true);
    expect(result.stdout + result.stderr).not.toContain('warning');
  }, 120_000);

  it('keeps secret values out of the state', () => {
    const file = path.join(backend, '.pulumi', 'stacks', 'azure-native-engine', 'test.json');
    const state = readFileSync(file, 'utf8');
    // Compared as booleans, because a failure must not print the state.
    expect({ plain: state.includes(base.secretValue), encrypted: state.includes('"ciphertext"') }).toEqual({
      plain: false,
      encrypted: true,
    });
  });

  it('changes nothing the second time, nor after a refresh', async () => {
    expect((await stack.up()).summary.resourceChanges).toEqual({ same: resourceCount });
    expect((await stack.refresh()).summary.resourceChanges).toEqual({ same: resourceCount });
    expect((await stack.up({ refresh: true })).summary.resourceChanges).toEqual({ same: resourceCount });
  }, 120_000);

  it('updates in place what can be', async () => {
    stack.workspace.program = program({
      ...base,
      team: 'b',
      issuer: 'https://issuer.example/2/',
      secretValue: 'two',
    });
    const result = await stack.up();
    expect(result.summary.resourceChanges).toEqual({ update: 4, same: resourceCount - 4 });
  }, 120_000);

  it('replaces what Azure cannot change', async () => {
    stack.workspace.program = program({
      ...base,
      team: 'b',
      issuer: 'https://issuer.example/2/',
      secretValue: 'two',
      reader: 'second',
    });
    const result = await stack.up();
    expect(result.summary.resourceChanges).toEqual({ replace: 1, same: resourceCount - 1 });
  }, 120_000);

  it('imports what exists', async () => {
    const { ids } = await stack.outputs();
    const imported = ids?.value as { identity: string; vault: string; policy: string };
    const other = await automation.LocalWorkspace.createOrSelectStack(
      {
        stackName: 'importing',
        projectName: 'azure-native-engine',
        program: async () => {
          const options = (id: string): pulumi.CustomResourceOptions => ({
            import: id,
            retainOnDelete: true,
          });
          const [, , , , resourceGroupName = '', , , , resourceName = ''] = imported.identity.split('/');
          const identity = new managedidentity.UserAssignedIdentity(
            'identity',
            { resourceGroupName, resourceName, location: 'westeurope' },
            options(imported.identity),
          );
          const found = await keyvault.getVault({ resourceGroupName, vaultName: names.policyVault });
          const [policy] = found.properties.accessPolicies ?? [];
          if (policy === undefined) throw new Error('the vault has no policy');
          new keyvault.AccessPolicy(
            'policy',
            { resourceGroupName, vaultName: names.policyVault, policy },
            options(imported.policy),
          );
          return { principalId: identity.principalId };
        },
      },
      settings,
    );
    const result = await other.up();
    expect(result.summary.resourceChanges).toEqual({ import: 2, create: 1 });
    await other.destroy();
  }, 120_000);

  it('detects resources that were deleted outside the program, and creates them again', async () => {
    const { ids } = await stack.outputs();
    const { policy } = ids?.value as { policy: string };
    await deleteBehind(policy);
    const refreshed = await stack.refresh();
    expect(refreshed.summary.resourceChanges).toEqual({ delete: 1, same: resourceCount - 1 });
    expect((await stack.up()).summary.resourceChanges).toEqual({ create: 1, same: resourceCount - 1 });
  }, 120_000);

  it('shows Azure’s own words when Azure refuses', async () => {
    const remove = cloud.azure.control.faults.add({
      method: 'PUT',
      url: /resourceGroups/i,
      reply: { status: 400, code: 'BadRequest', message: 'refused by the test' },
    });
    const other = await automation.LocalWorkspace.createOrSelectStack(
      {
        stackName: 'refused',
        projectName: 'azure-native-engine',
        program: () => {
          new resources.ResourceGroup('group', { location: 'westeurope' });
          return Promise.resolve();
        },
      },
      settings,
    );
    await expect(other.up()).rejects.toThrow(/BadRequest: refused by the test \(PUT .* status 400\)/);
    remove();
  }, 120_000);

  it('deletes everything', async () => {
    const result = await stack.destroy();
    expect(result.summary.resourceChanges).toEqual({ delete: resourceCount });
  }, 120_000);
});

/** Deletes an access policy as somebody could in the portal, with another plugin process. */
async function deleteBehind(policyId: string): Promise<void> {
  const plugin = await PluginProcess.start(installPlugin(cloud.stateDir), cloud.environment);
  await plugin.configure({});
  const type = 'azure-native:keyvault:AccessPolicy';
  const read = await plugin.read(type, policyId);
  await plugin.delete(type, policyId, read?.state ?? {});
  await plugin.stop();
}
