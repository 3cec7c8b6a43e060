import { randomUUID } from 'node:crypto';
import { OTHER_SUBSCRIPTION_ID } from '../../../identity';
import { groupId, refusal, withCloud } from '../../support/azure';

const STORAGE_CONTRIBUTOR = '17d1049b-9a84-46fb-8f53-869881c3d3ab';
const CONTRIBUTOR = 'b24988ac-6180-42a0-ab88-20f7382dd24c';

describe('registration of resource providers', () => {
  const cloud = withCloud();
  const group = groupId('rg');

  const providers = (subscription?: string) => cloud.resources(undefined, subscription).providers;
  const account = (name: string, credential = cloud.administrator()) =>
    cloud.raw(
      `https://management.azure.com${group}/providers/Microsoft.Storage/storageAccounts/${name}?api-version=2025-06-01`,
      {
        method: 'PUT',
        credential,
        body: JSON.stringify({ location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' } }),
      },
    );
  const state = async (namespace: string, subscription?: string) =>
    (await providers(subscription).get(namespace)).registrationState;

  it('refuses resources of an unregistered provider until it is registered, and no others', async () => {
    await providers().unregister('Microsoft.Storage');
    expect(await state('Microsoft.Storage')).toBe('Unregistered');
    expect(await state('Microsoft.Storage', OTHER_SUBSCRIPTION_ID)).toBe('Registered');
    const message =
      "The subscription is not registered to use namespace 'Microsoft.Storage'. See https://aka.ms/rps-not-found for how to register subscriptions.";
    const code = 'MissingSubscriptionRegistration';
    expect(await account('stearly')).toMatchObject({
      status: 409,
      // The clients' policies read the provider to register here.
      body: { error: { code, message, details: [{ code, target: 'Microsoft.Storage', message }] } },
    });
    await cloud
      .identities()
      .userAssignedIdentities.createOrUpdate('rg', 'id-other', { location: 'westeurope' });

    cloud.azure.control.clock.auto = false;
    // Registers like Azure Service Operator.
    const registered = await cloud.raw(
      `https://management.azure.com/subscriptions/${cloud.subscriptionId}/providers/Microsoft.Storage/register?api-version=2019-05-01`,
      { method: 'POST', credential: cloud.administrator() },
    );
    expect(registered).toMatchObject({ status: 200, body: { registrationState: 'Registering' } });
    expect((await account('stearly')).status).toBe(409);
    cloud.azure.control.clock.advance(1000);
    expect(await state('Microsoft.Storage')).toBe('Registered');
    expect((await account('stearly')).status).toBe(202);
  });

  it('needs permission to register the provider, for which a role on a group is not enough', async () => {
    const [low, high] = [cloud.principal('low'), cloud.principal('high')];
    const assign = (role: string, principalId: string, scope: string) =>
      cloud.authorization().roleAssignments.create(scope, randomUUID(), {
        principalId,
        principalType: 'ServicePrincipal',
        roleDefinitionId: `/providers/Microsoft.Authorization/roleDefinitions/${role}`,
      });
    await assign(STORAGE_CONTRIBUTOR, low.objectId, group);
    await assign(CONTRIBUTOR, high.objectId, `/subscriptions/${cloud.subscriptionId}`);
    expect(
      await refusal(cloud.resources(low.credential).providers.register('Microsoft.DBforPostgreSQL')),
    ).toMatchObject({
      status: 403,
      message: expect.stringContaining('Microsoft.DBforPostgreSQL/register/action') as string,
    });
    const created = await cloud.resources(high.credential).providers.register('Microsoft.DBforPostgreSQL');
    expect(created.registrationState).toBe('Registered');
  });

  it.each([
    ['of which there are resources', 'Microsoft.ManagedIdentity', 409],
    ['that every subscription has', 'Microsoft.Authorization', 409],
    ['that does not exist', 'Microsoft.Nothing', 404],
  ])('keeps a provider %s', async (_what, namespace, status) => {
    await cloud
      .identities()
      .userAssignedIdentities.createOrUpdate('rg', 'id-kept', { location: 'westeurope' });
    expect(await refusal(providers().unregister(namespace))).toMatchObject({ status });
  });
});
