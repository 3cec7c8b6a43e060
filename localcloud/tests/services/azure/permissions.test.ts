import { randomUUID } from 'node:crypto';
import { all, groupId, withCloud } from '../../support/azure';

const READER = 'acdd72a7-3385-48ef-bd42-f606fba81ae7';
const WRITE = 'Microsoft.Authorization/roleAssignments/write';

describe('permissions at a scope', () => {
  const cloud = withCloud();

  it('are those of the roles of the caller, on the group and on what is in it', async () => {
    const { objectId, clientId } = cloud.principal('asking');
    const { permissions } = cloud.authorization(cloud.secretCredential(clientId, 'not-secret-asking'));
    const actions = async () =>
      (await all(permissions.listForResourceGroup('rg'))).map((permission) => [
        permission.actions,
        permission.notActions,
      ]);
    expect(await actions()).toEqual([]);
    await cloud.authorization().roleAssignments.create(groupId('rg'), randomUUID(), {
      ...{ principalId: objectId, principalType: 'ServicePrincipal' },
      roleDefinitionId: `/subscriptions/${cloud.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${READER}`,
    });
    expect(await actions()).toEqual([[['*/read'], []]]);

    const own = await all(cloud.authorization().permissions.listForResourceGroup('rg'));
    expect(own.some(({ actions: can = [] }) => can.includes('*') || can.includes(WRITE))).toBe(true);
  });
});
