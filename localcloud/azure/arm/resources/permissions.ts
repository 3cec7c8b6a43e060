import { covers, includes } from '../../identity/access';
import type { Permission } from '../../identity/roles';
import { findRole } from '../../identity/roles';
import type { ArmContext } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import { checkScope } from './scopes';

const TYPE = 'Microsoft.Authorization/permissions';

/** The caller's permissions at the scope, one for each role. The conditions of the roles are left out. */
function permissionsAt({ store }: ArmContext, { caller, scope }: ArmCall): Omit<Permission, 'condition'>[] {
  return store.roleAssignments
    .values()
    .filter((assignment) => includes(caller, assignment.principalId) && covers(assignment.scope, scope))
    .flatMap((assignment) => findRole(store, assignment.roleDefinitionId)?.permission ?? [])
    .map(({ condition: _, conditionVersion: __, ...permission }) => permission);
}

/** The endpoint of the caller's permissions. Azure has it for resource groups and for resources. */
export function permissionEndpoints(context: ArmContext): ArmEndpoint[] {
  return [
    {
      operation: 'Permissions_ListForResource',
      method: 'GET',
      path: `{scope}/providers/${TYPE}`,
      type: TYPE,
      handle: (call) => {
        checkScope(context, call.scope);
        return { status: 200, body: { value: permissionsAt(context, call) } };
      },
    },
  ];
}
