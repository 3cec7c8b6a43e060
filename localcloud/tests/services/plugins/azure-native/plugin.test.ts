import { randomUUID } from 'node:crypto';
import { ADMINISTRATOR_OBJECT_ID } from '../../../../identity';
import { containsSecret, isObject, revealAll, Secret, type Properties } from '../../../../plugins/protocol';
import { textAt, valueAt } from '../../../../plugins/resources/propertyPath';
import { withCloud } from '../../../support/azure';
import type { PluginProcess } from '../../../support/plugins/pluginProcess';
import { startPlugin } from '../../../support/plugins/pluginProcess';

// Proves that the plugin, as a process with gRPC requests, performs the engine's operations on the local Azure
// for each of its types, with Azure's public names and unmodified SDKs.
const group = 'azure-native:resources:ResourceGroup';
const identity = 'azure-native:managedidentity:UserAssignedIdentity';
const credential = 'azure-native:managedidentity:FederatedIdentityCredential';
const vault = 'azure-native:keyvault:Vault';
const policy = 'azure-native:keyvault:AccessPolicy';
const secret = 'azure-native:keyvault:Secret';
const assignment = 'azure-native:authorization:RoleAssignment';
const customRole = 'azure-native:authorization:RoleDefinition';
const cluster = 'azure-native:containerservice:ManagedCluster';
const identityBinding = 'azure-native:containerservice:IdentityBinding';
const workspace = 'azure-native:operationalinsights:Workspace';
const diagnostics = 'azure-native:monitor:DiagnosticSetting';
const lock = 'azure-native:authorization:ManagementLockByScope';
const endpoint = 'azure-native:network:PrivateEndpoint';
const zoneGroup = 'azure-native:network:PrivateDnsZoneGroup';

const cloud = withCloud({ groups: [] });
let plugin: PluginProcess;
let groupName: string;

beforeAll(async () => {
  plugin = await startPlugin(cloud);
  const { inputs } = await plugin.check(group, { location: 'westeurope' });
  const created = await plugin.create(group, inputs);
  groupName = textAt(created.state, 'name');
}, 60_000);

interface Case {
  type: string;
  inputs: () => Promise<Properties>;
  /** A change without a replacement. */
  change: (inputs: Properties) => Properties;
  /** An input that cannot be read, so that an import lacks it. */
  writeOnly?: string;
}

async function make(type: string, inputs: Properties): Promise<{ id: string; state: Properties }> {
  const checked = await plugin.check(type, inputs);
  expect(checked.failures).toEqual([]);
  return plugin.create(type, checked.inputs);
}

const vaultName = (): string => `kv-${randomUUID().slice(0, 8)}`;
function vaultInputs(rbac: boolean): Properties {
  return {
    resourceGroupName: groupName,
    vaultName: vaultName(),
    properties: {
      tenantId: cloud.tenantId,
      sku: { family: 'A', name: 'standard' },
      enableRbacAuthorization: rbac,
    },
  };
}

const cases: Case[] = [
  {
    type: group,
    inputs: () => Promise.resolve({ resourceGroupName: `rg-${randomUUID()}`, location: 'westeurope' }),
    change: (inputs) => ({ ...inputs, tags: { team: 'a' } }),
  },
  {
    type: identity,
    inputs: () => Promise.resolve({ resourceGroupName: groupName, resourceName: `id-${randomUUID()}` }),
    change: (inputs) => ({ ...inputs, tags: { team: 'a' } }),
  },
  {
    type: credential,
    inputs: async () => {
      const parent = await make(identity, { resourceGroupName: groupName });
      return {
        resourceGroupName: groupName,
        resourceName: textAt(parent.state, 'name'),
        issuer: 'https://issuer.example/one/',
        subject: 'system:serviceaccount:shop:orders',
        audiences: ['api://AzureADTokenExchange'],
      };
    },
    change: (inputs) => ({ ...inputs, subject: 'system:serviceaccount:shop:billing' }),
  },
  {
    type: vault,
    inputs: () => Promise.resolve(vaultInputs(true)),
    change: (inputs) => ({ ...inputs, tags: { team: 'a' } }),
  },
  {
    type: policy,
    inputs: async () => {
      const parent = await make(vault, vaultInputs(false));
      return {
        resourceGroupName: groupName,
        vaultName: textAt(parent.state, 'name'),
        policy: {
          tenantId: cloud.tenantId,
          objectId: randomUUID(),
          permissions: { secrets: ['get'] },
        },
      };
    },
    change: (inputs) => ({
      ...inputs,
      policy: { ...(inputs['policy'] as Properties), permissions: { secrets: ['get', 'list'] } },
    }),
  },
  {
    type: secret,
    inputs: async () => {
      const parent = await make(vault, vaultInputs(true));
      await make(assignment, {
        scope: parent.id,
        principalId: ADMINISTRATOR_OBJECT_ID,
        principalType: 'ServicePrincipal',
        roleDefinitionId: roleDefinition('b86a8fe4-44ce-4948-aee5-eccb2c155cd7'),
      });
      return {
        resourceGroupName: groupName,
        vaultName: textAt(parent.state, 'name'),
        secretName: 'database',
        properties: { value: new Secret('first value'), contentType: 'text/plain' },
      };
    },
    change: (inputs) => ({
      ...inputs,
      properties: { value: new Secret('second value'), contentType: 'text/plain' },
    }),
    writeOnly: 'properties.value',
  },
  {
    type: assignment,
    inputs: async () => {
      const principal = await make(identity, { resourceGroupName: groupName });
      return {
        scope: `/subscriptions/${cloud.subscriptionId}/resourceGroups/${groupName}`,
        principalId: textAt(principal.state, 'principalId'),
        principalType: 'ServicePrincipal',
        roleDefinitionId: roleDefinition('21090545-7ca7-4776-b22c-e363652d74d2'),
      };
    },
    change: (inputs) => ({
      ...inputs,
      description: 'readers',
      condition: "ActionMatches{'Microsoft.KeyVault/*'}",
      conditionVersion: '2.0',
    }),
  },
  {
    type: customRole,
    inputs: () =>
      Promise.resolve({
        scope: `/subscriptions/${cloud.subscriptionId}`,
        roleName: `Vault reader ${randomUUID()}`,
        permissions: [{ actions: ['Microsoft.KeyVault/vaults/read'] }],
        assignableScopes: [`/subscriptions/${cloud.subscriptionId}`],
      }),
    change: (inputs) => ({ ...inputs, description: 'Reads vaults' }),
  },
  {
    type: cluster,
    inputs: () => Promise.resolve(clusterInputs()),
    change: (inputs) => ({ ...inputs, tags: { team: 'a' } }),
  },
  {
    type: workspace,
    inputs: () => Promise.resolve({ resourceGroupName: groupName, workspaceName: `log-${randomUUID()}` }),
    change: (inputs) => ({ ...inputs, retentionInDays: 90 }),
  },
  {
    type: diagnostics,
    inputs: async () => {
      const target = await make(vault, vaultInputs(true));
      const sink = await make(workspace, { resourceGroupName: groupName });
      return {
        resourceUri: target.id,
        name: 'audit',
        workspaceId: sink.id,
        logs: [{ categoryGroup: 'audit', enabled: true }],
      };
    },
    change: (inputs) => ({ ...inputs, logs: [{ category: 'AuditEvent', enabled: true }] }),
  },
  {
    type: lock,
    inputs: async () => {
      const target = await make(identity, { resourceGroupName: groupName });
      return { scope: target.id, lockName: 'keep', level: 'CanNotDelete' };
    },
    change: (inputs) => ({ ...inputs, notes: 'in use' }),
  },
  {
    type: endpoint,
    inputs: async () => endpointInputs((await make(vault, vaultInputs(true))).id),
    change: (inputs) => ({ ...inputs, tags: { team: 'a' } }),
  },
  {
    type: zoneGroup,
    inputs: async () => {
      const parent = await make(endpoint, endpointInputs((await make(vault, vaultInputs(true))).id));
      return {
        resourceGroupName: groupName,
        privateEndpointName: textAt(parent.state, 'name'),
        privateDnsZoneGroupName: 'default',
        privateDnsZoneConfigs: [{ name: 'vault', privateDnsZoneId: `${network}/privateDnsZones/one` }],
      };
    },
    change: (inputs) => ({
      ...inputs,
      privateDnsZoneConfigs: [{ name: 'vault', privateDnsZoneId: `${network}/privateDnsZones/two` }],
    }),
  },
];

const network = '/subscriptions/s/resourceGroups/net/providers/Microsoft.Network';

function clusterInputs(): Properties {
  return {
    resourceGroupName: groupName,
    resourceName: `aks-${randomUUID().slice(0, 8)}`,
    dnsPrefix: 'aks',
    identity: { type: 'SystemAssigned' },
    oidcIssuerProfile: { enabled: true },
    securityProfile: { workloadIdentity: { enabled: true } },
    agentPoolProfiles: [{ name: 'system', mode: 'System', count: 1, vmSize: 'Standard_D2s_v5' }],
  };
}

function endpointInputs(privateLinkServiceId: string): Properties {
  return {
    resourceGroupName: groupName,
    privateEndpointName: `pe-${randomUUID()}`,
    // The npm package adds the last two.
    subnet: {
      id: `${network}/virtualNetworks/vnet/subnets/apps`,
      privateEndpointNetworkPolicies: 'Disabled',
      privateLinkServiceNetworkPolicies: 'Enabled',
    },
    privateLinkServiceConnections: [{ name: 'vault', groupIds: ['vault'], privateLinkServiceId }],
  };
}

function roleDefinition(id: string): string {
  return `/subscriptions/${cloud.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${id}`;
}

describe.each(cases)('$type', ({ type, inputs: makeInputs, change, writeOnly }) => {
  it('is created, read without drift, changed, imported, and deleted', async () => {
    // given checked inputs
    const { inputs, failures } = await plugin.check(type, await makeInputs());
    expect(failures).toEqual([]);

    // when it is created, then all declared outputs exist
    const { id, state } = await plugin.create(type, inputs);
    expect(id).toMatch(/^\/subscriptions\//);
    if (type !== policy) expect(state).toMatchObject({ name: id.split('/').at(-1) ?? '' });
    // These two types have no such output.
    if (type !== policy && type !== zoneGroup)
      expect(state).toMatchObject({ type: expect.any(String) as string });

    // and a refresh changes nothing
    expect(await plugin.read(type, id, state, inputs)).toEqual({ id, state, inputs });
    expect((await plugin.diff(type, id, state, inputs, inputs)).changes).toBe(1);

    // when it is changed
    const news = (await plugin.check(type, change(inputs), inputs)).inputs;
    const diff = await plugin.diff(type, id, state, inputs, news);
    expect(diff).toMatchObject({ changes: 2, replacesList: [] });
    const changed = await plugin.update(type, id, state, inputs, news);
    expect(await plugin.read(type, id, changed, news)).toEqual({ id, state: changed, inputs: news });

    // when it is imported, then all set inputs are there, and the same arguments are no change
    const imported = await plugin.read(type, id);
    expect(imported?.state).toEqual(revealAll(changed));
    const { inputs: again } = await plugin.check(type, change(inputs), imported?.inputs ?? {});
    const importedDiff = await plugin.diff(type, id, imported?.state ?? {}, imported?.inputs ?? {}, again);
    expect(importedDiff.replacesList).toEqual([]);
    expect(importedDiff.diffsList).toEqual(writeOnly === undefined ? [] : [writeOnly.split('.')[0]]);
    if (writeOnly !== undefined) {
      expect(valueAt(imported?.inputs ?? {}, writeOnly)).toBeUndefined();
      expect(containsSecret(valueAt(news, writeOnly))).toBe(true);
      expect(JSON.stringify(changed)).not.toContain('value"');
    }

    // when it is deleted, twice
    await plugin.delete(type, id, changed);
    expect(await plugin.read(type, id, changed, news)).toBeUndefined();
    await plugin.delete(type, id, changed);
  }, 60_000);
});

describe('an identity binding', () => {
  it('is created, read without drift, imported and deleted, and replaced for another identity', async () => {
    // given a cluster and two identities
    const parent = await make(cluster, clusterInputs());
    const first = await make(identity, { resourceGroupName: groupName });
    const second = await make(identity, { resourceGroupName: groupName });
    const inputsFor = ({ id }: { id: string }): Properties => ({
      resourceGroupName: groupName,
      resourceName: textAt(parent.state, 'name'),
      identityBindingName: 'orders',
      properties: { managedIdentity: { resourceId: id } },
    });

    // when it is created, then the declared outputs exist, and a refresh changes nothing
    const { id, state } = await make(identityBinding, inputsFor(first));
    expect(valueAt(state, 'properties.managedIdentity.clientId')).toBe(valueAt(first.state, 'clientId'));
    const { inputs } = await plugin.check(identityBinding, inputsFor(first));
    expect(await plugin.read(identityBinding, id, state, inputs)).toEqual({ id, state, inputs });

    // then its import has the same inputs
    const imported = await plugin.read(identityBinding, id);
    expect(imported?.inputs).toMatchObject(inputsFor(first));
    const unchanged = await plugin.diff(identityBinding, id, state, imported?.inputs ?? {}, inputs);
    expect(unchanged.changes).toBe(1);

    // and another identity replaces it, after its deletion
    const news = (await plugin.check(identityBinding, inputsFor(second), inputs)).inputs;
    const diff = await plugin.diff(identityBinding, id, state, inputs, news);
    expect(diff).toMatchObject({ changes: 2, replacesList: ['properties'], deletebeforereplace: true });

    // when it is deleted, twice
    await plugin.delete(identityBinding, id, state);
    expect(await plugin.read(identityBinding, id, state, inputs)).toBeUndefined();
    await plugin.delete(identityBinding, id, state);
  }, 60_000);
});

describe('what Azure refuses', () => {
  it('is passed on: a vault whose name is soft-deleted', async () => {
    const inputs = vaultInputs(true);
    const { id, state } = await make(vault, inputs);
    await plugin.delete(vault, id, state);
    await expect(make(vault, inputs)).rejects.toThrow(/PUT .*vaults.*status 409/);
  });

  it('is passed on: a federated credential with two audiences', async () => {
    const parent = await make(identity, { resourceGroupName: groupName });
    await expect(
      make(credential, {
        resourceGroupName: groupName,
        resourceName: textAt(parent.state, 'name'),
        issuer: 'https://issuer.example/',
        subject: 's',
        audiences: ['a', 'b'],
      }),
    ).rejects.toThrow(/must have exactly one audience/);
  });

  it('is retried if it is temporary: concurrent writes under one identity', async () => {
    const parent = await make(identity, { resourceGroupName: groupName });
    const created = await Promise.all(
      [1, 2, 3, 4].map((index) =>
        make(credential, {
          resourceGroupName: groupName,
          resourceName: textAt(parent.state, 'name'),
          federatedIdentityCredentialResourceName: `credential-${index}`,
          issuer: 'https://issuer.example/',
          subject: `system:serviceaccount:shop:app-${index}`,
          audiences: ['api://AzureADTokenExchange'],
        }),
      ),
    );
    expect(new Set(created.map(({ id }) => id)).size).toBe(4);
  }, 60_000);
});

describe('vaults and access policies', () => {
  it('do not remove each other’s entries', async () => {
    // given a vault without inline policies and two policies made at the same time
    const inputs = (await plugin.check(vault, vaultInputs(false))).inputs;
    const { id, state } = await plugin.create(vault, inputs);
    const entries = [randomUUID(), randomUUID()].map((objectId) => ({
      resourceGroupName: groupName,
      vaultName: textAt(state, 'name'),
      policy: { tenantId: cloud.tenantId, objectId, permissions: { secrets: ['get'] } },
    }));
    const [first] = await Promise.all(entries.map((entry) => make(policy, entry)));

    // when the vault is updated and one policy deleted
    const refreshed = await plugin.read(vault, id, state, inputs);
    expect(refreshed?.inputs).toEqual(inputs);
    await plugin.update(vault, id, refreshed?.state ?? {}, inputs, { ...inputs, tags: { a: 'b' } });
    await plugin.delete(policy, first?.id ?? '', first?.state ?? {});

    // then the other still exists
    const policies = valueAt((await plugin.read(vault, id))?.state ?? {}, 'properties.accessPolicies');
    expect(
      (Array.isArray(policies) ? policies : []).map((entry) => (isObject(entry) ? entry['objectId'] : '')),
    ).toEqual([entries[1]?.policy.objectId]);
  });
});
