import type { Context, Properties, ProviderImplementation } from '../../../../plugins/protocol';
import type { FakeArm } from './fakeArm';
import { now, startHarness, vaultId } from './harness';

const policyType = 'azure-native:keyvault:AccessPolicy';

let azure: FakeArm;
let provider: ProviderImplementation;
let context: Context;

beforeEach(async () => {
  ({ azure, provider, context } = await startHarness());
});

describe('access policies', () => {
  const inputs: Properties = {
    resourceGroupName: 'rg',
    vaultName: 'kv',
    policy: { tenantId: 't', objectId: 'o', permissions: { secrets: ['get'] } },
  };
  const id = `${vaultId}/accessPolicy/o`;
  const other = { tenantId: 't', objectId: 'other', permissions: { secrets: ['all'] } };

  function vaultWith(...accessPolicies: Properties[]): void {
    azure.resources.set(vaultId.toLowerCase(), { id: vaultId, name: 'kv', properties: { accessPolicies } });
  }

  it('are replaced one by one', async () => {
    // given a vault that has another principal's policy, and a service that adds ours
    vaultWith(other);
    const written = {
      tenantId: 't',
      objectId: 'o',
      permissions: { secrets: ['get'], keys: [], certificates: [] },
    };
    azure.next('GET', { status: 200, body: azure.resources.get(vaultId.toLowerCase()) ?? {} });
    azure.next('GET', {
      status: 200,
      body: { id: vaultId, properties: { accessPolicies: [other, written] } },
    });

    // when
    const created = await provider.create('urn', policyType, inputs, now, context);

    // then only ours was sent, and empty permissions are not in the state
    const put = azure.sent.find((request) => request.method === 'PUT');
    expect(put).toMatchObject({
      path: `${vaultId}/accessPolicies/replace`,
      body: { properties: { accessPolicies: [inputs['policy']] } },
    });
    expect(created).toEqual({ id, state: inputs });
  });

  it('are not taken over from other owners', async () => {
    vaultWith({ ...other, objectId: 'o' });
    await expect(provider.create('urn', policyType, inputs, now, context)).rejects.toThrow(
      /already has an access policy for o/,
    );
  });

  it('do not exist without the vault or the entry', async () => {
    expect(await provider.read('urn', policyType, id, inputs, inputs, context)).toBeUndefined();
    vaultWith(other);
    expect(await provider.read('urn', policyType, id, inputs, inputs, context)).toBeUndefined();
  });

  it('are imported by their id', async () => {
    vaultWith(other);
    const read = await provider.read('urn', policyType, `${vaultId}/accessPolicy/other`, {}, {}, context);
    expect(read?.inputs).toEqual({ resourceGroupName: 'rg', vaultName: 'kv', policy: other });
  });

  it('are removed one by one', async () => {
    vaultWith(other);
    await provider.delete('urn', policyType, id, inputs, now, context);
    expect(azure.sent.at(-1)).toMatchObject({
      path: `${vaultId}/accessPolicies/remove`,
      body: { properties: { accessPolicies: [inputs['policy']] } },
    });
  });
});
