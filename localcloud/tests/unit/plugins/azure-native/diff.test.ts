import { Secret, unknown, type Properties } from '../../../../plugins/protocol';
import { findResource } from '../../../../plugins/azure-native/catalogue';
import { createBeforeDeleteMark, diffInputs } from '../../../../plugins/azure-native/diff';
import { importedInputs, refreshedInputs } from '../../../../plugins/azure-native/drift';
import { clusterId } from './harness';

const vault = findResource('azure-native:keyvault:Vault');
const cluster = findResource('azure-native:containerservice:ManagedCluster');
const credential = findResource('azure-native:managedidentity:FederatedIdentityCredential');
const assignment = findResource('azure-native:authorization:RoleAssignment');
const policy = findResource('azure-native:keyvault:AccessPolicy');
const group = findResource('azure-native:resources:ResourceGroup');

const vaultInputs: Properties = {
  resourceGroupName: 'rg',
  vaultName: 'kv',
  location: 'westeurope',
  properties: { tenantId: 't', sku: { family: 'A', name: 'standard' }, enableRbacAuthorization: true },
};

describe('differences', () => {
  it('are none between equal inputs, secret or not, and between spellings of a location', () => {
    expect(diffInputs(vault, vaultInputs, { ...vaultInputs, location: 'West Europe' }, {})).toMatchObject({
      changes: false,
      replaces: [],
    });
    expect(diffInputs(vault, { tags: new Secret({ a: '1' }) }, { tags: { a: '1' } }, {}).changes).toBe(false);
  });

  it.each<[string, typeof vault, Properties, Properties, string[], string[]]>([
    [
      'a vault property',
      vault,
      vaultInputs,
      {
        ...vaultInputs,
        properties: { ...(vaultInputs['properties'] as Properties), enabledForDeployment: true },
      },
      ['properties'],
      [],
    ],
    [
      'a vault name',
      vault,
      vaultInputs,
      { ...vaultInputs, vaultName: 'other' },
      ['vaultName'],
      ['vaultName'],
    ],
    ['a group location', group, { location: 'a' }, { location: 'b' }, ['location'], ['location']],
    [
      'an identity of a credential',
      credential,
      { resourceName: 'a' },
      { resourceName: 'b' },
      ['resourceName'],
      ['resourceName'],
    ],
    ['an issuer', credential, { issuer: 'a' }, { issuer: 'b' }, ['issuer'], []],
    ['a principal', assignment, { principalId: 'a' }, { principalId: 'b' }, ['principalId'], ['principalId']],
    [
      'the principal of a policy',
      policy,
      { policy: { objectId: 'a' } },
      { policy: { objectId: 'b' } },
      ['policy'],
      ['policy'],
    ],
    [
      'the permissions of a policy',
      policy,
      { policy: { permissions: { secrets: ['get'] } } },
      { policy: { permissions: { secrets: ['get', 'list'] } } },
      ['policy'],
      [],
    ],
    [
      'a cluster version',
      cluster,
      { kubernetesVersion: '1.33' },
      { kubernetesVersion: '1.34' },
      ['kubernetesVersion'],
      [],
    ],
    [
      'a service network',
      cluster,
      { networkProfile: { serviceCidr: 'a' } },
      { networkProfile: { serviceCidr: 'b' } },
      ['networkProfile'],
      ['networkProfile'],
    ],
    [
      'a part of a network',
      cluster,
      { networkProfile: { loadBalancerSku: 'a' } },
      { networkProfile: { loadBalancerSku: 'b' } },
      ['networkProfile'],
      [],
    ],
  ])('see %s', (_case, type, olds, news, diffs, replaces) => {
    const diff = diffInputs(type, olds, news, {});
    expect(diff).toMatchObject({ changes: true, diffs, replaces });
    expect(diff.deleteBeforeReplace).toBe(replaces.length > 0);
  });

  it('replace without deleting first if the name is random', () => {
    const olds = { location: 'a', resourceGroupName: 'rg12345678', [createBeforeDeleteMark]: true };
    expect(diffInputs(group, olds, { ...olds, location: 'b' }, {})).toMatchObject({
      replaces: ['location'],
      deleteBeforeReplace: false,
    });
  });

  it('do not replace when the program states the service’s choice', () => {
    const diff = diffInputs(cluster, {}, { dnsPrefix: 'chosen' }, { dnsPrefix: 'chosen' });
    expect(diff).toMatchObject({ changes: true, replaces: [], detailed: { dnsPrefix: 'add' } });
  });

  it('count an unknown as a change', () => {
    expect(diffInputs(assignment, { principalId: 'a' }, { principalId: unknown }, {}).replaces).toEqual([
      'principalId',
    ]);
  });
});

describe('refreshed inputs', () => {
  const state = {
    location: 'westeurope',
    properties: {
      tenantId: 't',
      sku: { family: 'A', name: 'standard' },
      enableSoftDelete: true,
      vaultUri: 'u',
      accessPolicies: [],
    },
  };

  it('ignore values that the service chose or others maintain', () => {
    const now = {
      ...state,
      properties: {
        ...state.properties,
        accessPolicies: [{ objectId: 'o', tenantId: 't', permissions: {} }],
      },
    };
    expect(refreshedInputs(vault, vaultInputs, state, now)).toEqual(vaultInputs);
  });

  it('show changes outside the program', () => {
    const now = {
      ...state,
      tags: { by: 'hand' },
      properties: { ...state.properties, sku: { family: 'A', name: 'premium' } },
    };
    expect(refreshedInputs(vault, vaultInputs, state, now)).toEqual({
      ...vaultInputs,
      tags: { by: 'hand' },
      properties: { ...(vaultInputs['properties'] as Properties), sku: { family: 'A', name: 'premium' } },
    });
  });

  it('keep write-only values, with their marks', () => {
    const secret = findResource('azure-native:keyvault:Secret');
    const inputs = { properties: { value: new Secret('v'), contentType: 'text' } };
    const before = { properties: { secretUri: 'u', contentType: 'text' } };
    const after = { properties: { secretUri: 'u2', contentType: 'json' } };
    expect(refreshedInputs(secret, inputs, before, after)).toEqual({
      properties: { value: new Secret('v'), contentType: 'json' },
    });
  });

  it('are those of the id and of the outputs on import', () => {
    const id = '/subscriptions/s/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/kv';
    expect(importedInputs(vault, id, { ...state, name: 'kv', type: 'T' })).toEqual({
      resourceGroupName: 'rg',
      vaultName: 'kv',
      location: 'westeurope',
      properties: {
        tenantId: 't',
        sku: { family: 'A', name: 'standard' },
        enableSoftDelete: true,
      },
    });
  });
});

describe('defaults of the service', () => {
  const endpoint = findResource('azure-native:network:PrivateEndpoint');
  const changes = (
    type: typeof vault,
    olds: Properties,
    news: Properties,
    state: Properties = {},
  ): string[] => Object.keys(diffInputs(type, olds, news, state).detailed ?? {});

  it('are no change when they are stated or omitted, in any case', () => {
    const stated = {
      ...vaultInputs,
      tags: {},
      properties: {
        ...(vaultInputs['properties'] as Properties),
        publicNetworkAccess: 'enabled',
        enableSoftDelete: true,
        softDeleteRetentionInDays: 90,
      },
    };
    expect([changes(vault, vaultInputs, stated), changes(vault, stated, vaultInputs)]).toEqual([[], []]);
    const other = {
      ...stated,
      properties: { ...stated.properties, publicNetworkAccess: 'Disabled', softDeleteRetentionInDays: 7 },
    };
    expect(changes(vault, stated, other).sort()).toEqual([
      'properties.publicNetworkAccess',
      'properties.softDeleteRetentionInDays',
    ]);
  });

  it('do not replace an endpoint whose subnet was imported without the package’s additions', () => {
    const imported = { subnet: { id: 'a' } };
    const added = {
      privateEndpointNetworkPolicies: 'Disabled',
      privateLinkServiceNetworkPolicies: 'Enabled',
    };
    expect(changes(endpoint, imported, { subnet: { id: 'a', ...added } })).toEqual([]);
    expect(diffInputs(endpoint, imported, { subnet: { id: 'b', ...added } }, {}).replaces).toEqual([
      'subnet',
    ]);
  });

  it('are omitted from an import, and no change if the program states the same', () => {
    const pools = [{ name: 'system', orchestratorVersion: '1.36' }];
    const state = { nodeResourceGroup: 'MC_a', kubernetesVersion: '1.36', agentPoolProfiles: pools };
    const inputs = importedInputs(cluster, clusterId, state);
    expect(inputs).toEqual({
      resourceGroupName: 'rg',
      resourceName: 'aks',
      agentPoolProfiles: [{ name: 'system' }],
    });
    expect(changes(cluster, inputs, { ...inputs, ...state }, state)).toEqual([]);
    const other = {
      ...inputs,
      nodeResourceGroup: 'other',
      agentPoolProfiles: [{ ...pools[0], orchestratorVersion: '1.35' }],
    };
    expect(diffInputs(cluster, inputs, other, state)).toMatchObject({
      replaces: ['nodeResourceGroup'],
      diffs: ['agentPoolProfiles', 'nodeResourceGroup'],
    });
  });
});
