import { randomUUID } from 'node:crypto';
import * as authorization from '@pulumi/azure-native/authorization';
import * as containerservice from '@pulumi/azure-native/containerservice';
import * as keyvault from '@pulumi/azure-native/keyvault';
import * as managedidentity from '@pulumi/azure-native/managedidentity';
import * as monitor from '@pulumi/azure-native/monitor';
import * as network from '@pulumi/azure-native/network';
import * as operationalinsights from '@pulumi/azure-native/operationalinsights';
import { Provider } from '@pulumi/azure-native/provider';
import * as resources from '@pulumi/azure-native/resources';
import * as pulumi from '@pulumi/pulumi';
import * as automation from '@pulumi/pulumi/automation';
import { OTHER_SUBSCRIPTION_ID } from '../../../../identity';
import { openEngine } from '../../../support/plugins/engine';
import { withCloud } from '../../../support/azure';

// Proves, with the real engine and the real npm package, the use of existing resources: imports without a
// change, another subscription, and locks.

const project = 'azure-native-brownfield';
const suffix = randomUUID().slice(0, 8);
const net = '/subscriptions/s/resourceGroups/net/providers/Microsoft.Network';

const cloud = withCloud({ groups: [] });
let settings: automation.LocalWorkspaceOptions;

beforeAll(async () => {
  ({ settings } = await openEngine(cloud));
}, 600_000);

const open = (stackName: string, program: automation.PulumiFn): Promise<automation.Stack> =>
  automation.LocalWorkspace.createOrSelectStack({ stackName, projectName: project, program }, settings);

const properties = (tenantId: string, rbac: boolean) => ({
  tenantId,
  sku: { family: 'A' as const, name: 'standard' as const },
  enableRbacAuthorization: rbac,
});

/** One resource of each type, with fixed names. */
const everything: automation.PulumiFn = async () => {
  const { tenantId, subscriptionId } = await authorization.getClientConfig();
  const resourceGroupName = `rg-${suffix}`;
  const group = new resources.ResourceGroup('group', { resourceGroupName, location: 'westeurope' });
  const inGroup = { dependsOn: group };
  const identity = new managedidentity.UserAssignedIdentity(
    'identity',
    { resourceGroupName, resourceName: 'id-app', tags: { team: 'a' } },
    inGroup,
  );
  new managedidentity.FederatedIdentityCredential('credential', {
    resourceGroupName,
    resourceName: identity.name,
    federatedIdentityCredentialResourceName: 'aks-1-orders',
    issuer: 'https://issuer.example/',
    subject: 'system:serviceaccount:shop:orders',
    audiences: ['api://AzureADTokenExchange'],
  });
  const vault = new keyvault.Vault(
    'vault',
    {
      resourceGroupName,
      vaultName: `kv-${suffix}`,
      properties: {
        ...properties(tenantId, true),
        softDeleteRetentionInDays: 30,
        networkAcls: {
          defaultAction: 'Deny',
          bypass: 'AzureServices',
          ipRules: [{ value: '127.0.0.1/32' }, { value: '203.0.113.0/24' }],
          virtualNetworkRules: [{ id: `${net}/virtualNetworks/vnet/subnets/apps` }],
        },
      },
    },
    inGroup,
  );
  new authorization.RoleAssignment('reader', {
    scope: vault.id,
    roleAssignmentName: '77777777-7777-4777-8777-777777777777',
    principalId: identity.principalId,
    principalType: 'ServicePrincipal',
    roleDefinitionId: `/subscriptions/${subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/21090545-7ca7-4776-b22c-e363652d74d2`,
  });
  const policyVault = new keyvault.Vault(
    'policy-vault',
    { resourceGroupName, vaultName: `kp-${suffix}`, properties: properties(tenantId, false) },
    inGroup,
  );
  new keyvault.AccessPolicy('policy', {
    resourceGroupName,
    vaultName: policyVault.name,
    policy: { tenantId, objectId: identity.principalId, permissions: { secrets: ['get', 'list'] } },
  });
  new keyvault.Secret('secret', {
    resourceGroupName,
    vaultName: vault.name,
    secretName: 'database',
    properties: { value: pulumi.secret('not-secret-value') },
  });
  const cluster = new containerservice.ManagedCluster('cluster', {
    resourceGroupName,
    resourceName: 'aks-1',
    dnsPrefix: 'aks-1',
    identity: { type: 'UserAssigned', userAssignedIdentities: [identity.id] },
    oidcIssuerProfile: { enabled: true },
    securityProfile: { workloadIdentity: { enabled: true } },
    addonProfiles: {
      azureKeyvaultSecretsProvider: { enabled: true, config: { enableSecretRotation: 'true' } },
    },
    apiServerAccessProfile: { authorizedIPRanges: ['203.0.113.0/24'] },
    agentPoolProfiles: [{ name: 'system', mode: 'System', count: 2, vmSize: 'Standard_D2s_v5' }],
  });
  const workspace = new operationalinsights.Workspace(
    'workspace',
    { resourceGroupName, workspaceName: 'log-app', retentionInDays: 90 },
    inGroup,
  );
  for (const [name, target, category] of [
    ['vault-logs', vault.id, 'AuditEvent'],
    ['cluster-logs', cluster.id, 'kube-audit-admin'],
  ] as const) {
    new monitor.DiagnosticSetting(name, {
      resourceUri: target,
      name: 'audit',
      workspaceId: workspace.id,
      logs: [{ category, enabled: true }],
    });
  }
  const endpoint = new network.PrivateEndpoint('endpoint', {
    resourceGroupName,
    privateEndpointName: 'pe-vault',
    subnet: { id: `${net}/virtualNetworks/vnet/subnets/endpoints` },
    privateLinkServiceConnections: [{ name: 'vault', groupIds: ['vault'], privateLinkServiceId: vault.id }],
  });
  new network.PrivateDnsZoneGroup('zones', {
    resourceGroupName,
    privateEndpointName: endpoint.name,
    privateDnsZoneGroupName: 'default',
    privateDnsZoneConfigs: [{ name: 'vault', privateDnsZoneId: `${net}/privateDnsZones/vault` }],
  });
  new authorization.ManagementLockByScope('lock', {
    scope: policyVault.id,
    lockName: 'keep',
    level: 'CanNotDelete',
  });
};

/** All but the stack itself. */
const count = 15;

interface Recorded {
  urn: string;
  type: string;
  id?: string;
}

async function recorded(stack: automation.Stack): Promise<Recorded[]> {
  const exported: { deployment: unknown } = await stack.exportStack();
  const { resources: all } = exported.deployment as { resources: Recorded[] };
  return all.filter(({ type }) => type.startsWith('azure-native:'));
}

describe('what exists already', () => {
  it('is created, and a second update changes nothing', async () => {
    const stack = await open('maker', everything);
    expect((await stack.up()).summary.resourceChanges).toEqual({ create: count + 1 });
    expect((await stack.up()).summary.resourceChanges).toEqual({ same: count + 1 });
    await stack.refresh();
    expect((await stack.up()).summary.resourceChanges).toEqual({ same: count + 1 });
  }, 240_000);

  it('is imported by its ids; the same program then changes only the secret, whose value cannot be read', async () => {
    const created = await recorded(await open('maker', everything));
    expect(created).toHaveLength(count);
    const stack = await open('taker', everything);
    await stack.import({
      resources: created.map(({ urn, type, id = '' }) => ({ type, id, name: urn.split('::').at(-1) ?? '' })),
      generateCode: false,
      protect: false,
    });
    const changed: string[] = [];
    const preview = await stack.preview({
      onEvent: ({ resourcePreEvent }) => {
        const { op, urn } = resourcePreEvent?.metadata ?? {};
        if (op !== undefined && op !== 'same') changed.push(`${op} ${urn?.split('::').at(-1) ?? ''}`);
      },
    });
    expect(changed.filter((change) => !/ taker$|-taker$/.test(change))).toEqual(['update secret']);
    expect(preview.changeSummary).toMatchObject({ update: 1 });

    await stack.up();
    await stack.refresh();
    expect((await stack.up()).summary.resourceChanges).toEqual({ same: count + 1 });
  }, 240_000);

  it('is not deleted while it is locked, but without the lock', async () => {
    const stack = await open('taker', everything);
    const { id: scope = '' } = await find(stack, 'identity');
    const locker = await open('locker', () => {
      new authorization.ManagementLockByScope('lock', { scope, level: 'CanNotDelete' });
      return Promise.resolve();
    });
    await locker.up();
    const { urn } = await find(stack, 'credential');
    await expect(stack.destroy({ target: [urn] })).rejects.toThrow(/ScopeLocked: .* status 409/);
    await locker.destroy();
    expect((await stack.destroy()).summary.result).toBe('succeeded');
  }, 240_000);
});

async function find(stack: automation.Stack, name: string): Promise<Recorded> {
  const found = (await recorded(stack)).find(({ urn }) => urn.endsWith(`::${name}`));
  if (found === undefined) throw new Error(`the stack has no ${name}`);
  return found;
}

describe('an explicit provider for another subscription', () => {
  const elsewhere: automation.PulumiFn = async () => {
    const { tenantId } = await authorization.getClientConfig();
    const provider = new Provider('other', { subscriptionId: OTHER_SUBSCRIPTION_ID });
    const group = new resources.ResourceGroup('group', { location: 'northeurope' }, { provider });
    const identity = new managedidentity.UserAssignedIdentity(
      'identity',
      { resourceGroupName: group.name },
      { provider },
    );
    const vault = new keyvault.Vault(
      'vault',
      {
        resourceGroupName: group.name,
        vaultName: `ko-${suffix}`,
        properties: properties(tenantId, true),
      },
      { provider },
    );
    const found = keyvault.getVaultOutput(
      { resourceGroupName: group.name, vaultName: vault.name },
      { provider },
    );
    const client = await authorization.getClientConfig({ provider });
    return {
      ids: [group.id, identity.id, vault.id, found.id],
      location: identity.location,
      subscription: client.subscriptionId,
    };
  };

  it('makes and finds everything there', async () => {
    const stack = await open('elsewhere', elsewhere);
    const { outputs } = await stack.up();
    const ids = outputs['ids']?.value as string[];
    expect(ids.map((id) => id.split('/')[2])).toEqual(Array(4).fill(OTHER_SUBSCRIPTION_ID));
    expect(ids[3]).toBe(ids[2]);
    expect(outputs['location']?.value).toBe('northeurope');
    expect(outputs['subscription']?.value).toBe(OTHER_SUBSCRIPTION_ID);
    expect((await stack.up()).summary.resourceChanges).toEqual({ same: 5 });
    await stack.destroy();
  }, 240_000);
});
