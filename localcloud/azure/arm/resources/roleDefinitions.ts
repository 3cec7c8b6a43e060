import { covers, isAllowed } from '../../identity/access';
import { BUILT_IN_ROLES, roleDefinition } from '../../identity/roles';
import type { RoleDefinition } from '../../identity/roles';
import type { CustomRoleDocument } from '../../store/documents';
import type { ArmContext } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import { ArmError, badRequest } from '../errors';
import type { Terms } from '../filter';
import { filterOf } from '../filter';
import { parseResourceId } from '../resourceId';
import { deleteCustomRole, writeCustomRole } from './customRoles';
import { ResourceType } from './resourceType';

const TYPE = 'Microsoft.Authorization/roleDefinitions';
const definitions = new ResourceType(TYPE, `{scope}/providers/${TYPE}`, 'roleDefinitionId');

/** The id of a role definition, in the subscription of the scope. */
export function roleDefinitionId(scope: string, name: string): string {
  const subscription = parseResourceId(scope)?.subscriptionId;
  return `${subscription === undefined ? '' : `/subscriptions/${subscription}`}/providers/${TYPE}/${name}`;
}

const typeOf = ({ assignableScopes }: RoleDefinition): string =>
  assignableScopes === undefined ? 'BuiltInRole' : 'CustomRole';

/** A role definition in an answer. A custom role's id is in the subscription even if the role was written at a group. */
function present(role: RoleDefinition, scope: string): Record<string, unknown> {
  const { name, permission, ...properties } = role;
  return {
    id: roleDefinitionId(scope, name),
    name,
    type: TYPE,
    properties: { assignableScopes: ['/'], ...properties, type: typeOf(role), permissions: [permission] },
  };
}

const TERMS: Terms<RoleDefinition> = {
  'roleName eq': (value) => (role) => role.roleName === value,
  'type eq': (value) => (role) => typeOf(role) === value,
  // `customRolesAt` has already selected the roles below the scope.
  'atScopeAndBelow()': () => () => true,
};

/**
 * The custom roles that can be assigned at the scope and, with `below`, below it, if the caller may read role definitions there
 * (MicrosoftDocs/azure-docs `custom-roles.md`, "Who can create, delete, update, or view a custom role"). A role that the caller
 * may not read is assumed to count as missing.
 */
function customRolesAt(context: ArmContext, call: ArmCall, below: boolean): CustomRoleDocument[] {
  const readable = (scope: string): boolean => isAllowed(context.store, call.caller, `${TYPE}/read`, scope);
  const isSeen = (scope: string): boolean =>
    covers(scope, call.scope) ? readable(call.scope) : below && covers(call.scope, scope) && readable(scope);
  return context.store.customRoles.values().filter(({ assignableScopes }) => assignableScopes.some(isSeen));
}

function list(context: ArmContext, call: ArmCall): Record<string, unknown>[] {
  const filter = call.query.get('$filter');
  const matches = filterOf(filter, TERMS);
  const below = filter?.toLowerCase().includes('atscopeandbelow()') === true;
  return [...BUILT_IN_ROLES, ...customRolesAt(context, call, below)]
    .filter(matches)
    .map((role) => present(role, call.scope));
}

/** Built-in and custom roles. Any caller may read the built-in ones. */
export function roleDefinitionEndpoints(context: ArmContext): ArmEndpoint[] {
  const nameIn = (call: ArmCall): string => definitions.nameIn(call).toLowerCase();
  const customRole = (call: ArmCall): CustomRoleDocument | undefined =>
    customRolesAt(context, call, true).find(({ name }) => name === nameIn(call));
  return [
    definitions.endpoint('PUT', 'RoleDefinitions_CreateOrUpdate', (call) => ({
      // Also for a role that exists (azure-rest-api-specs, as named in customRoles.ts).
      status: 201,
      body: present(writeCustomRole(context, call, nameIn(call)), call.scope),
    })),
    {
      ...definitions.endpoint('GET', 'RoleDefinitions_Get', (call) => {
        const role = roleDefinition(nameIn(call)) ?? customRole(call);
        if (role !== undefined) return { status: 200, body: present(role, call.scope) };
        throw new ArmError(
          404,
          'RoleDefinitionDoesNotExist',
          `The specified role definition with ID '${nameIn(call)}' does not exist. Beside custom roles, the local cloud has ${BUILT_IN_ROLES.map((each) => each.roleName).join(', ')}.`,
        );
      }),
      action: undefined,
    },
    definitions.endpoint('DELETE', 'RoleDefinitions_Delete', (call) => {
      // No source gives Azure's answer.
      if (roleDefinition(nameIn(call)) !== undefined) {
        throw badRequest(`'${nameIn(call)}' is the ID of a built-in role, which cannot be deleted.`);
      }
      const role = customRole(call);
      if (role === undefined) return { status: 204 };
      deleteCustomRole(context, call, role);
      return { status: 200, body: present(role, call.scope) };
    }),
    {
      ...definitions.listEndpoint('RoleDefinitions_List', (call) => list(context, call), ['$filter']),
      action: undefined,
    },
  ];
}
