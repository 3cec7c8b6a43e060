import { BUILT_IN_ROLES, roleDefinition } from '../../identity/roles';
import type { RoleDefinition } from '../../identity/roles';
import type { ArmEndpoint } from '../endpoint';
import { ArmError } from '../errors';
import type { Terms } from '../filter';
import { filterOf } from '../filter';
import { parseResourceId } from '../resourceId';

const TYPE = 'Microsoft.Authorization/roleDefinitions';

/** The id of a role definition, in the subscription of the scope. */
export function roleDefinitionId(scope: string, name: string): string {
  const subscription = parseResourceId(scope)?.subscriptionId;
  return `${subscription === undefined ? '' : `/subscriptions/${subscription}`}/providers/${TYPE}/${name}`;
}

function present(role: RoleDefinition, scope: string): Record<string, unknown> {
  return {
    id: roleDefinitionId(scope, role.name),
    name: role.name,
    type: TYPE,
    properties: {
      roleName: role.roleName,
      type: 'BuiltInRole',
      description: role.description,
      assignableScopes: ['/'],
      permissions: [role.permission],
    },
  };
}

const TERMS: Terms<RoleDefinition> = {
  'roleName eq': (value) => (role) => role.roleName === value,
  'type eq': (value) => () => value === 'BuiltInRole',
  'atScopeAndBelow()': () => () => true,
};

/** Built-in roles. Custom roles are not supported. */
export function roleDefinitionEndpoints(): ArmEndpoint[] {
  return [
    {
      operation: 'RoleDefinitions_Get',
      method: 'GET',
      path: `{scope}/providers/${TYPE}/{roleDefinitionId}`,
      type: TYPE,
      handle: (call) => {
        const role = roleDefinition(call.params['roleDefinitionId'] ?? '');
        if (role !== undefined) return { status: 200, body: present(role, call.scope) };
        throw new ArmError(
          404,
          'RoleDefinitionDoesNotExist',
          `The specified role definition with ID '${call.params['roleDefinitionId'] ?? ''}' does not exist. The local cloud has ${BUILT_IN_ROLES.map((each) => each.roleName).join(', ')}.`,
        );
      },
    },
    {
      operation: 'RoleDefinitions_List',
      method: 'GET',
      path: `{scope}/providers/${TYPE}`,
      type: TYPE,
      query: ['$filter'],
      handle: (call) => ({
        status: 200,
        body: {
          value: BUILT_IN_ROLES.filter(filterOf(call.query.get('$filter'), TERMS)).map((role) =>
            present(role, call.scope),
          ),
        },
      }),
    },
  ];
}
