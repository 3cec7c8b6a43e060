import { assignRole } from '../../../components/azure/assignRole';
import { group, ids } from './support/azure';
import { record } from './support/recorder';

const type = 'azure-native:authorization:RoleAssignment';
const assigned = { scope: group, role: 'rbacAdministrator', principalId: ids.tenant } as const;

describe('assignRole', () => {
  it('sends a condition with the version of its syntax, and neither without a condition', async () => {
    const condition = "!(ActionMatches{'Microsoft.Authorization/roleAssignments/write'})";
    const { find } = await record(() => [
      assignRole('limited', { ...assigned, condition }, {}),
      assignRole('plain', assigned, {}),
    ]);
    expect(find(type, 'limited').inputs).toMatchObject({ condition, conditionVersion: '2.0' });
    const { inputs } = find(type, 'plain');
    expect(inputs).not.toHaveProperty('condition');
    expect(inputs).not.toHaveProperty('conditionVersion');
    expect(inputs['roleDefinitionId']).toBe(
      `/subscriptions/${ids.subscription}/providers/Microsoft.Authorization/roleDefinitions/f58310d9-a9f6-439a-9e8d-f62e7b41a168`,
    );
  });
});
