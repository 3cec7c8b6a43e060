import {
  PartialFailure,
  Secret,
  unknown,
  type Context,
  type Properties,
  type ProviderImplementation,
} from '../../../../plugins/protocol';
import type { FakeArm } from './fakeArm';
import { clusterId, groupId, now, startHarness, vaultId } from './harness';

// Tests how the plugin uses the resource manager's protocol. Azure's answers are scripted here;
// localcloud/tests/services tests them.
const groupType = 'azure-native:resources:ResourceGroup';
const vaultType = 'azure-native:keyvault:Vault';
const secretType = 'azure-native:keyvault:Secret';
const identityType = 'azure-native:managedidentity:UserAssignedIdentity';
const clusterType = 'azure-native:containerservice:ManagedCluster';
const vaultInputs: Properties = {
  resourceGroupName: 'rg',
  vaultName: 'kv',
  location: 'westeurope',
  properties: { tenantId: 't', sku: { family: 'A', name: 'standard' } },
};
const clusterInputs: Properties = {
  resourceGroupName: 'rg',
  resourceName: 'aks',
  location: 'westeurope',
  dnsPrefix: 'd',
};

let azure: FakeArm;
let provider: ProviderImplementation;
let context: Context;
let abort: AbortController;

beforeEach(async () => {
  ({ azure, provider, context, abort } = await startHarness());
});

describe('check', () => {
  const seed = { name: 'app', randomSeed: new Uint8Array([1]) };

  it('generates a name, keeps it, and uses the location of the resource group', async () => {
    // given a group in northeurope
    azure.resources.set(groupId.toLowerCase(), { id: groupId, location: 'northeurope' });

    // when an identity without name and location is checked, and then checked again
    const first = await provider.check('urn', identityType, {}, { resourceGroupName: 'rg' }, seed);
    const second = await provider.check(
      'urn',
      identityType,
      first.inputs,
      { resourceGroupName: 'rg' },
      {
        ...seed,
        randomSeed: new Uint8Array([2]),
      },
    );

    // then
    expect(first.failures).toEqual([]);
    expect(first.inputs).toMatchObject({
      location: 'northeurope',
      resourceName: expect.stringMatching(/^app[0-9a-f]{8}$/) as string,
    });
    expect(second.inputs).toEqual(first.inputs);
  });

  it('leaves the location unknown if the group is', async () => {
    const { inputs, failures } = await provider.check(
      'urn',
      identityType,
      {},
      { resourceGroupName: unknown },
      seed,
    );
    expect(failures).toEqual([]);
    expect(inputs['location']).toBe(unknown);
  });

  it('requires a location if there is no default', async () => {
    const { failures } = await provider.check('urn', groupType, {}, {}, seed);
    expect(failures).toEqual([
      { property: 'location', reason: expect.stringContaining('azure-native:location') as string },
    ]);
  });
});

describe('create', () => {
  it('checks whether the resource exists, puts it, and reads it back', async () => {
    const created = await provider.create('urn', vaultType, vaultInputs, now, context);

    expect(azure.methods()).toEqual(['GET', 'PUT', 'GET']);
    expect(azure.sent[1]).toEqual({
      method: 'PUT',
      path: vaultId,
      apiVersion: '2024-11-01',
      // Others maintain the policies. The API requires the list, so it is created empty.
      body: {
        location: 'westeurope',
        properties: { ...(vaultInputs['properties'] as Properties), accessPolicies: [] },
      },
    });
    expect(created.id).toBe(vaultId);
    expect(created.state).toMatchObject({
      name: 'kv',
      location: 'westeurope',
      azureApiVersion: '2024-11-01',
    });
    expect(created.state['properties']).not.toHaveProperty('chosenByService');
  });

  it('does not take over a resource that exists', async () => {
    azure.resources.set(vaultId.toLowerCase(), { id: vaultId });
    await expect(provider.create('urn', vaultType, vaultInputs, now, context)).rejects.toThrow(
      `cannot create already existing resource '${vaultId}'`,
    );
    expect(azure.methods()).toEqual(['GET']);
  });

  it('marks secret inputs as secret outputs', async () => {
    const inputs = { ...vaultInputs, tags: new Secret({ key: 'hidden' }) };
    const { state } = await provider.create('urn', vaultType, inputs, now, context);
    expect(state['tags']).toEqual(new Secret({ key: 'hidden' }));
  });

  it('sends nothing in a preview', async () => {
    const { state } = await provider.create(
      'urn',
      vaultType,
      vaultInputs,
      { ...now, preview: true },
      context,
    );
    expect(azure.sent).toEqual([]);
    expect(state).toMatchObject({ location: 'westeurope', name: unknown });
  });

  it('waits while an operation is under way', async () => {
    // given a service that answers 201 with an operation, which is in progress once
    const operation = 'https://management.azure.com/subscriptions/sub/operations/1?api-version=2025-09-01';
    azure.next('GET', { status: 404, body: { error: { code: 'ResourceNotFound', message: 'none' } } });
    azure.next('PUT', {
      status: 201,
      headers: { 'azure-asyncoperation': operation, 'retry-after': '0' },
      body: { id: clusterId, properties: { provisioningState: 'Creating' } },
    });
    azure.next('GET', { status: 200, headers: { 'retry-after': '0' }, body: { status: 'InProgress' } });
    azure.next('GET', { status: 200, body: { status: 'Succeeded' } });
    azure.resources.set(clusterId.toLowerCase(), { id: clusterId, name: 'aks', properties: { fqdn: 'f' } });

    // when
    const { state } = await provider.create('urn', clusterType, clusterInputs, now, context);

    // then the operation was asked for until it succeeded, and the cluster read afterwards
    expect(azure.sent.map((request) => request.path)).toEqual([
      clusterId,
      clusterId,
      '/subscriptions/sub/operations/1',
      '/subscriptions/sub/operations/1',
      clusterId,
    ]);
    expect(state).toMatchObject({ name: 'aks', fqdn: 'f' });
  });

  it('records a resource whose operation failed', async () => {
    azure.next('GET', { status: 404, body: { error: { code: 'ResourceNotFound', message: 'none' } } });
    azure.next('PUT', {
      status: 201,
      headers: { 'azure-asyncoperation': 'https://management.azure.com/op', 'retry-after': '0' },
      body: { id: clusterId },
    });
    azure.next('GET', {
      status: 200,
      body: { status: 'Failed', error: { code: 'QuotaExceeded', message: 'no cores left' } },
    });
    azure.resources.set(clusterId.toLowerCase(), {
      id: clusterId,
      name: 'aks',
      properties: { provisioningState: 'Failed' },
    });

    const failure = await provider
      .create('urn', clusterType, clusterInputs, now, context)
      .catch((error: unknown) => error);

    expect(failure).toBeInstanceOf(PartialFailure);
    expect(failure).toMatchObject({ id: clusterId, state: { provisioningState: 'Failed' } });
    expect(String(failure)).toMatch(/no cores left/);
  });

  it.each([
    [
      'a conflict with another write on the same identity',
      409,
      'ConcurrentFederatedIdentityCredentialsWritesForSingleManagedIdentity',
    ],
    ['throttling', 429, 'TooManyRequests'],
  ])('tries again after %s', async (_case, status, code) => {
    azure.next('PUT', {
      status,
      headers: { 'retry-after': '0' },
      body: { error: { code, message: 'later' } },
    });
    const { id } = await provider.create('urn', vaultType, vaultInputs, now, context);
    expect(id).toBe(vaultId);
    expect(azure.methods()).toEqual(['GET', 'PUT', 'PUT', 'GET']);
  });

  it('reports Azure’s message, with code, request and status', async () => {
    azure.next('PUT', {
      status: 409,
      body: {
        error: {
          code: 'VaultAlreadyExists',
          message: 'the name is taken',
          details: [{ code: 'X', message: 'why' }],
        },
      },
    });
    await expect(provider.create('urn', vaultType, vaultInputs, now, context)).rejects.toThrow(
      `VaultAlreadyExists: the name is taken; X: why (PUT ${vaultId}: status 409)`,
    );
  });

  it('stops when the engine cancels', async () => {
    abort.abort();
    await expect(provider.create('urn', vaultType, vaultInputs, now, context)).rejects.toMatchObject({
      name: 'AbortError',
    });
  });
});

describe('a create that is cancelled during the write', () => {
  it('is recorded, so that the next update finds it', async () => {
    azure.onArrival = (method) => {
      if (method === 'PUT') abort.abort();
    };
    const created = await provider.create('urn', vaultType, vaultInputs, now, context);
    expect(created.id).toBe(vaultId);
    expect(azure.methods()).toEqual(['GET', 'PUT', 'GET']);
  });

  it('is not begun when the cancellation came first', async () => {
    azure.onArrival = (method) => {
      if (method === 'GET') abort.abort();
    };
    await expect(provider.create('urn', vaultType, vaultInputs, now, context)).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(azure.methods()).not.toContain('PUT');
  });
});

describe('read, update and delete', () => {
  it('keep the inputs of a resource that was never read before', async () => {
    const { id } = await provider.create('urn', vaultType, vaultInputs, now, context);
    const read = await provider.read('urn', vaultType, id, {}, vaultInputs, context);
    expect(read?.inputs).toEqual(vaultInputs);
    expect(read?.state).toMatchObject({ name: 'kv' });
  });

  it('show no drift after a create', async () => {
    const { id, state } = await provider.create('urn', vaultType, vaultInputs, now, context);
    const read = await provider.read('urn', vaultType, id, state, vaultInputs, context);
    expect(read).toEqual({ id, state, inputs: vaultInputs });
  });

  it('report a resource that is gone', async () => {
    expect(await provider.read('urn', vaultType, vaultId, {}, vaultInputs, context)).toBeUndefined();
  });

  it('do not change lists that other resources maintain', async () => {
    const { id, state } = await provider.create('urn', vaultType, vaultInputs, now, context);
    const policies = [{ objectId: 'o', tenantId: 't', permissions: {} }];
    azure.resources.set(vaultId.toLowerCase(), { id, properties: { accessPolicies: policies } });

    const news = { ...vaultInputs, tags: { a: 'b' } };
    await provider.update('urn', vaultType, id, state, vaultInputs, news, now, context);

    const put = azure.sent.filter((request) => request.method === 'PUT').at(-1);
    expect(put?.body).toMatchObject({ tags: { a: 'b' }, properties: { accessPolicies: policies } });
  });

  it('show the name in the preview of an update', async () => {
    const { state } = await provider.update(
      'urn',
      vaultType,
      vaultId,
      { name: 'kv' },
      vaultInputs,
      vaultInputs,
      { ...now, preview: true },
      context,
    );
    expect(state).toMatchObject({ name: 'kv', systemData: unknown });
  });

  it('treat a missing resource as deleted', async () => {
    azure.next('DELETE', { status: 404, body: { error: { code: 'ResourceNotFound', message: 'none' } } });
    await expect(provider.delete('urn', vaultType, vaultId, {}, now, context)).resolves.toBeUndefined();
  });

  it('delete a secret at its vault', async () => {
    await provider.delete('urn', secretType, `${vaultId}/secrets/db`, {}, now, context);
    expect(azure.sent).toEqual([
      { method: 'DELETE', path: '/secrets/db', apiVersion: '7.6', body: undefined },
    ]);
  });
});
