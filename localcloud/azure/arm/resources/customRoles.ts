import * as z from 'zod';
import { covers } from '../../identity/access';
import { BUILT_IN_ROLES, roleDefinition } from '../../identity/roles';
import type { CustomRoleDocument } from '../../store/documents';
import { body, readBody, withReadOnly } from '../body';
import type { ArmContext } from '../context';
import { stamp } from '../context';
import type { ArmCall } from '../endpoint';
import { ArmError, badRequest } from '../errors';
import { GUID, sameId } from '../resourceId';
import { checkLinkedAccess } from './linkedAccess';
import { checkScope } from './scopes';

const TYPE = 'Microsoft.Authorization/roleDefinitions';

const actions = z.array(z.string()).default([]);

/**
 * Sources: azure-rest-api-specs `…/Microsoft.Authorization/stable/2022-04-01/authorization-RoleDefinitionsCalls.json`; lengths:
 * MicrosoftDocs/azure-docs `articles/role-based-access-control/custom-roles.md`; length of the description:
 * `includes/role-based-access-control/limits.md`. Azure accepts a list of permissions; its clients send one.
 */
const createBody = body({
  properties: withReadOnly(
    {
      roleName: z.string().min(1).max(512, 'a role name has at most 512 characters'),
      description: z.string().max(2048, 'a description has at most 2048 characters').optional(),
      type: z.literal('CustomRole', 'the type of a role that is not built in is CustomRole').optional(),
      permissions: z
        .array(
          withReadOnly({ actions, notActions: actions, dataActions: actions, notDataActions: actions }, [
            'condition',
            'conditionVersion',
          ]),
        )
        .length(1, 'a role of the local cloud has exactly one permission'),
      assignableScopes: z.array(z.string()).min(1, 'at least one assignable scope is needed'),
    },
    ['createdOn', 'updatedOn', 'createdBy', 'updatedBy'],
  ),
});

type RequestedRole = z.infer<typeof createBody>['properties'];

const ACTION = /^(?:\*|[\w.*-]+(?:\/[\w.*-]+)+)$/;

/**
 * Refuses actions of the wrong form. Azure also refuses actions that no provider has. Source of the text:
 * Azure/azure-powershell `src/Resources/Resources.Test/ScenarioTests/RoleDefinitionTests.ps1`.
 */
function checkActions(code: string, actions: readonly string[]): void {
  const wrong = actions.find((action) => !ACTION.test(action));
  if (wrong === undefined) return;
  throw new ArmError(400, code, `'${wrong}' does not match any of the actions supported by the providers.`);
}

/** The only permission of the role. */
function permissionIn({ permissions }: RequestedRole): CustomRoleDocument['permission'] {
  const permission = {
    actions: permissions.flatMap((each) => each.actions),
    notActions: permissions.flatMap((each) => each.notActions),
    dataActions: permissions.flatMap((each) => each.dataActions),
    notDataActions: permissions.flatMap((each) => each.notDataActions),
  };
  checkActions('InvalidActionOrNotAction', [...permission.actions, ...permission.notActions]);
  checkActions('InvalidDataActionOrNotDataAction', [...permission.dataActions, ...permission.notDataActions]);
  return permission;
}

const ASSIGNABLE = /^\/subscriptions\/[^/]+(?:\/resourceGroups\/[^/]+)?$/i;

/**
 * Refuses invalid assignable scopes. Source: `custom-roles.md`, as above. It is assumed that the request's scope must itself be
 * assignable.
 */
function checkAssignableScopes(call: ArmCall, { assignableScopes }: RequestedRole): void {
  const wrong = assignableScopes.find((scope) => !ASSIGNABLE.test(scope));
  if (wrong !== undefined) {
    throw badRequest(
      `The assignable scope '${wrong}' is invalid: '/subscriptions/{id}' or '/subscriptions/{id}/resourceGroups/{name}' is needed. Custom roles have no assignable scope '/' or below a resource group, and the local cloud has no management groups.`,
      'properties.assignableScopes',
    );
  }
  if (assignableScopes.some((scope) => covers(scope, call.scope))) return;
  throw badRequest(
    `The role definition is written at the scope '${call.scope}', which is in none of its assignable scopes '${assignableScopes.join(',')}'.`,
    'properties.assignableScopes',
  );
}

/**
 * Refuses a name that another role has. Source of the rule: `custom-roles.md`, as above; of code and status: the scenario tests
 * of Azure/azure-sdk-for-net.
 */
function checkRoleName(context: ArmContext, name: string, roleName: string): void {
  const others = [...BUILT_IN_ROLES, ...context.store.customRoles.values()];
  if (!others.some((other) => other.name !== name && sameId(other.roleName, roleName))) return;
  throw new ArmError(
    409,
    'RoleDefinitionWithSameNameExists',
    'A custom role with the same name already exists in this directory. Use a different name',
  );
}

/** Creates or replaces a custom role. */
export function writeCustomRole(context: ArmContext, call: ArmCall, name: string): CustomRoleDocument {
  if (!GUID.test(name)) throw badRequest(`The role definition ID '${name}' is not a GUID.`);
  // Source of the status: the tests named above. No source gives the code.
  if (roleDefinition(name) !== undefined) {
    throw new ArmError(409, 'Conflict', `'${name}' is the ID of a built-in role, which cannot be changed.`);
  }
  const requested = readBody(createBody, call.body, TYPE).properties;
  checkScope(context, call.scope);
  const permission = permissionIn(requested);
  checkAssignableScopes(call, requested);
  const current = context.store.customRoles.get(name);
  checkLinkedAccess(
    context,
    call,
    { action: `${TYPE}/write`, scope: call.scope },
    {
      action: `${TYPE}/write`,
      scopes: [...(current?.assignableScopes ?? []), ...requested.assignableScopes],
    },
  );
  checkRoleName(context, name, requested.roleName);
  const now = stamp(context);
  const role: CustomRoleDocument = {
    name,
    roleName: requested.roleName,
    description: requested.description ?? '',
    permission,
    assignableScopes: requested.assignableScopes,
    createdOn: current?.createdOn ?? now,
    updatedOn: now,
    createdBy: current?.createdBy ?? call.caller.objectId,
    updatedBy: call.caller.objectId,
  };
  context.store.customRoles.set(name, role);
  return role;
}

/**
 * Deletes a custom role; refused while it is assigned. Source of code and text: `troubleshooting.md`; the status is assumed.
 */
export function deleteCustomRole(context: ArmContext, call: ArmCall, role: CustomRoleDocument): void {
  checkLinkedAccess(
    context,
    call,
    { action: `${TYPE}/delete`, scope: call.scope },
    { action: `${TYPE}/delete`, scopes: role.assignableScopes },
  );
  const assigned = context.store.roleAssignments
    .values()
    .find(({ roleDefinitionId }) => roleDefinitionId.endsWith(`/${role.name}`));
  if (assigned !== undefined) {
    throw new ArmError(
      400,
      'RoleDefinitionHasAssignments',
      `There are existing role assignments referencing role '${role.roleName}', such as '${assigned.id}'.`,
    );
  }
  context.store.customRoles.delete(role.name);
}
