import type { AzureReader, AzureResource } from '../../../cli/azureReader';
import type { GraphReader } from '../../../cli/graphReader';
import { UserError } from '../../../cli/userError';
import { findOrphans, type Search } from '../../../cli/orphans/find';

// What this does not prove: what Azure's lists answer; the end-to-end test of retention asks the local one.

const subscription = '22222222-2222-4222-8222-222222222222';
const scope = `/subscriptions/${subscription}`;
const group = `${scope}/resourceGroups/rg`;
const identity = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id-a`;
const vault = `${group}/providers/Microsoft.KeyVault/vaults/kv-a`;
const existingVault = `${scope}/resourceGroups/other/providers/Microsoft.KeyVault/vaults/kv-existing`;
const storage = `${group}/providers/Microsoft.Storage/storageAccounts/sta`;
const own = { tags: { 'pulumi-stack': 'aks-workload-identity/prod' } };
const tagFilter = "tagName eq 'pulumi-stack' and tagValue eq 'aks-workload-identity/prod'";

type Item = Partial<AzureResource> & { id: string };
const whole = (item: Item): AzureResource => ({ name: '', type: '', properties: {}, ...item });

/** Azure with these lists, by `<path> <filter>`. */
function azure(lists: Readonly<Record<string, readonly Item[]>>): AzureReader & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    get: () => Promise.resolve(undefined),
    list: (path, _version, filter) => {
      const key = filter === undefined ? path : `${path} ${filter}`;
      asked.push(key);
      return Promise.resolve((lists[key] ?? []).map(whole));
    },
  };
}

/** Entra with these applications that have the stack's tag. */
function entra(...applications: Record<string, unknown>[]): GraphReader {
  const ofStack = encodeURIComponent("tags/any(tag:tag eq 'aks-workload-identity/prod')");
  return {
    get: () => Promise.resolve(undefined),
    list: (path) => Promise.resolve(path.startsWith(`applications?$filter=${ofStack}&`) ? applications : []),
  };
}

const noted = jest.fn();

const orphansOf = (reader: AzureReader, search: Partial<Search> = {}, graph = entra()) =>
  findOrphans(
    reader,
    graph,
    {
      stack: 'prod',
      subscriptions: [subscription],
      inStack: new Set(),
      group: 'RG',
      vaults: [],
      hasApplications: false,
      hasGroups: false,
      ...search,
    },
    noted,
  );

beforeEach(() => {
  noted.mockClear();
});

const groups = `${scope}/resourcegroups ${tagFilter}`;
const resources = `${scope}/resources ${tagFilter}`;

describe('orphans of a stack', () => {
  it('have its tag and are not in it, each with the command that deletes it and the one that imports it', async () => {
    const reader = azure({
      [groups]: [{ id: group }],
      [resources]: [
        { id: identity, type: 'Microsoft.ManagedIdentity/userAssignedIdentities' },
        { id: vault, type: 'Microsoft.KeyVault/vaults' },
        { id: storage, type: 'Microsoft.Storage/storageAccounts' },
      ],
    });

    expect(await orphansOf(reader, { inStack: new Set([identity.toUpperCase()]) })).toEqual([
      {
        id: group,
        type: 'Microsoft.Resources/resourceGroups',
        delete: `az group delete --subscription ${subscription} --name rg`,
        takeBack: 'npx aks-wi import --stack prod',
      },
      {
        id: vault,
        type: 'Microsoft.KeyVault/vaults',
        delete: `az resource delete --ids ${vault}`,
        takeBack: 'npx aks-wi import --stack prod',
      },
      {
        id: storage,
        type: 'Microsoft.Storage/storageAccounts',
        delete: `az resource delete --ids ${storage}`,
        takeBack: 'pulumi up --stack prod',
      },
    ]);
  });

  it('are taken over by an update where the operator created them: not in the group of the environment', async () => {
    const services = `${scope}/resourceGroups/rg-services/providers`;
    const created = [
      { id: `${services}/Microsoft.KeyVault/vaults/kv-b`, type: 'Microsoft.KeyVault/vaults' },
      {
        id: `${services}/Microsoft.ManagedIdentity/userAssignedIdentities/id-b`,
        type: 'Microsoft.ManagedIdentity/userAssignedIdentities',
      },
    ];
    const takeBack = async (search: Partial<Search>) =>
      (await orphansOf(azure({ [resources]: created }), search)).map((orphan) => orphan.takeBack);

    expect(await takeBack({})).toEqual(['pulumi up --stack prod', 'pulumi up --stack prod']);
    // Without a stack file it is not known.
    const imported = 'npx aks-wi import --stack prod';
    expect(await takeBack({ group: undefined })).toEqual([imported, imported]);
  });

  it('may be secrets, in vaults of the stack, in orphans, and in vaults that it only uses', async () => {
    const secret = (of: string, name: string, tags: object = own) => ({
      id: `${of}/secrets/${name}`,
      ...tags,
    });
    const found = await orphansOf(
      azure({
        [resources]: [{ id: vault, type: 'Microsoft.KeyVault/vaults' }],
        [`${vault.toLowerCase()}/secrets`]: [secret(vault, 'a'), secret(vault, 'b')],
        [`${existingVault.toLowerCase()}/secrets`]: [
          secret(existingVault, 'c'),
          secret(existingVault, 'of-others', {}),
          secret(existingVault, 'of-dev', { tags: { 'pulumi-stack': 'aks-workload-identity/dev' } }),
        ],
      }),
      { inStack: new Set([vault, `${vault}/secrets/a`]), vaults: [vault, existingVault] },
    );

    expect(found.map(({ id }) => id)).toEqual([`${existingVault}/secrets/c`, `${vault}/secrets/b`].sort());
    expect(found.find(({ id }) => id.endsWith('/b'))).toMatchObject({
      delete: 'az keyvault secret delete --vault-name kv-a --name b',
      takeBack: 'npx aks-wi import --stack prod',
    });
  });

  it('are not what Azure creates for a cluster, with the cluster’s tags', async () => {
    const nodes = `${scope}/resourceGroups/MC_rg_aks-1_westeurope`;
    const reader = azure({
      [groups]: [
        { id: nodes, managedBy: `${group}/providers/Microsoft.ContainerService/managedClusters/aks-1` },
      ],
      [resources]: [{ id: `${nodes.toLowerCase()}/providers/Microsoft.Network/loadBalancers/kubernetes` }],
    });

    expect(await orphansOf(reader)).toEqual([]);
  });

  it('are looked for in every subscription', async () => {
    const reader = azure({});
    await orphansOf(reader, { subscriptions: ['one', 'two'] });

    expect(reader.asked.map((key) => key.split(' ')[0])).toEqual([
      '/subscriptions/one/resourcegroups',
      '/subscriptions/one/resources',
      '/subscriptions/two/resourcegroups',
      '/subscriptions/two/resources',
    ]);
  });
});

describe('orphans in Entra', () => {
  const application = (id: string, tags = ['aks-workload-identity/prod']) => ({
    id,
    displayName: `id-prod-hc1-${id}`,
    tags,
  });

  it('are the applications that have the tag and are not in the stack', async () => {
    const graph = entra(
      application('cpo'),
      application('disk'),
      // Graph compares without regard to case.
      application('of-another', ['aks-workload-identity/PROD']),
    );

    expect(await orphansOf(azure({}), { inStack: new Set(['/applications/disk']) }, graph)).toEqual([
      {
        id: '/applications/cpo',
        type: 'Microsoft.Graph/applications',
        displayName: 'id-prod-hc1-cpo',
        delete: 'az ad app delete --id cpo',
        takeBack: 'npx aks-wi import --stack prod',
      },
    ]);
    expect(noted).not.toHaveBeenCalled();
  });

  it('may be groups in Entra, by the description of the stack', async () => {
    const filter = encodeURIComponent("startswith(displayName,'sg-prod-')");
    const described = (id: string, description: string | null) => ({
      ...{ id, displayName: `sg-prod-${id}`, description },
    });
    const own = 'Made by the stack aks-workload-identity/prod.';
    const listed = [described('a', own), described('b', own), described('c', null)];
    const graph: GraphReader = {
      get: () => Promise.resolve(undefined),
      list: (path) => Promise.resolve(path.startsWith(`groups?$filter=${filter}&`) ? listed : []),
    };
    expect(await orphansOf(azure({}), { inStack: new Set(['/groups/b']) }, graph)).toEqual([
      {
        id: '/groups/a',
        type: 'Microsoft.Graph/groups',
        displayName: 'sg-prod-a',
        delete: 'az ad group delete --group a',
        takeBack: 'npx aks-wi import --stack prod',
      },
    ]);
  });

  describe('without the right to read them', () => {
    const refusal = new UserError('Azure answered 403.', 'Sign in.');
    const orphansWithoutEntra = (search: Partial<Search> = {}) =>
      orphansOf(azure({ [resources]: [{ id: identity, type: 'x' }] }), search, {
        ...entra(),
        list: () => Promise.reject(refusal),
      });

    it('are a note where the stack has none', async () => {
      expect((await orphansWithoutEntra()).map(({ id }) => id)).toEqual([identity]);
      expect(noted.mock.calls).toEqual([
        [
          'Applications in Entra were not searched: Azure answered 403. The stack has none now, but earlier ones may remain.',
        ],
        [
          'Groups in Entra were not searched: Azure answered 403. The stack has none now, but earlier ones may remain.',
        ],
      ]);
    });

    it('are an error where the stack has some: the list would be incomplete', async () => {
      await expect(orphansWithoutEntra({ hasApplications: true })).rejects.toBe(refusal);
      await expect(orphansWithoutEntra({ hasGroups: true })).rejects.toBe(refusal);
    });
  });
});
