import { Secret, type Context, type ProviderImplementation } from '../../../../plugins/protocol';
import { readSettings } from '../../../../plugins/azure-native/arm/settings';
import type { FakeArm } from './fakeArm';
import { clusterId, environment, groupId, startHarness } from './harness';

let azure: FakeArm;
let provider: ProviderImplementation;
let context: Context;

beforeEach(async () => {
  ({ azure, provider, context } = await startHarness());
});

describe('functions', () => {
  it('tell who the plugin is', async () => {
    const { result } = await provider.invoke('azure-native:authorization:getClientConfig', {}, context);
    expect(result).toEqual({
      clientId: 'client',
      objectId: 'object',
      subscriptionId: 'sub',
      tenantId: 'tenant',
    });
  });

  it('give tokens as secrets', async () => {
    const { result } = await provider.invoke('azure-native:authorization:getClientToken', {}, context);
    expect(result['token']).toBeInstanceOf(Secret);
  });

  it('read resources, with their ids', async () => {
    azure.resources.set(groupId.toLowerCase(), { id: groupId, name: 'rg', location: 'l', properties: {} });
    const { result } = await provider.invoke(
      'azure-native:resources:getResourceGroup',
      { resourceGroupName: 'rg' },
      context,
    );
    expect(result).toMatchObject({ id: groupId, name: 'rg', location: 'l', azureApiVersion: '2024-03-01' });
  });

  it('give credentials as secrets', async () => {
    azure.next('POST', { status: 200, body: { kubeconfigs: [{ name: 'clusterUser', value: 'YQ==' }] } });
    const { result } = await provider.invoke(
      'azure-native:containerservice:listManagedClusterUserCredentials',
      { resourceGroupName: 'rg', resourceName: 'aks' },
      context,
    );
    expect(result).toEqual({ kubeconfigs: new Secret([{ name: 'clusterUser', value: 'YQ==' }]) });
    expect(azure.sent[0]?.path).toBe(`${clusterId}/listClusterUserCredential`);
  });

  it('name arguments that are missing', async () => {
    const { failures } = await provider.invoke(
      'azure-native:keyvault:getVault',
      { resourceGroupName: 'rg' },
      context,
    );
    expect(failures.map((failure) => failure.property)).toEqual(['vaultName']);
  });
});

describe('configuration', () => {
  it('says what is missing, and where to set it', () => {
    expect(() => readSettings({ clientId: new Secret('x') }, {})).toThrow(
      'azure-native has no credentials: set azure-native:clientSecret or ARM_CLIENT_SECRET, azure-native:tenantId or ARM_TENANT_ID, azure-native:subscriptionId or ARM_SUBSCRIPTION_ID',
    );
  });

  it('comes from the provider before the environment', () => {
    const settings = readSettings({ subscriptionId: 'other', location: 'westeurope' }, environment);
    expect(settings).toMatchObject({ subscriptionId: 'other', tenantId: 'tenant', location: 'westeurope' });
  });

  it.each([
    ['environment', 'moon', /allowed are public, usgovernment, china/],
    ['subscription', 'x', /no configuration 'subscription'/],
  ])('refuses %s', async (property, value, reason) => {
    const checked = await provider.checkConfig?.({}, { [property]: value });
    expect(checked?.failures).toEqual([{ property, reason: expect.stringMatching(reason) as string }]);
  });
});
