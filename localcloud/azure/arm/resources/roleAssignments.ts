import * as z from 'zod';
import { TENANT_ID } from '../../../identity';
import { covers, includes, isAllowed } from '../../identity/access';
import type { Attributes } from '../../identity/conditions/evaluate';
import { ConditionError, parseCondition } from '../../identity/conditions/parse';
import { groupsOf } from '../../identity/groups';
import type { RoleDefinition } from '../../identity/roles';
import { findRole } from '../../identity/roles';
import type { RoleAssignmentDocument } from '../../store/documents';
import { body, readBody, withReadOnly } from '../body';
import type { ArmContext } from '../context';
import { stamp } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import { ArmError, badRequest } from '../errors';
import { filterOf } from '../filter';
import { GUID, sameId } from '../resourceId';
import { RULES_SINCE } from '../versionChanges';
import { ResourceType } from './resourceType';
import { roleDefinitionId } from './roleDefinitions';
import { checkScope } from './scopes';

const TYPE = 'Microsoft.Authorization/roleAssignments';
/** Longest condition, in bytes. */
const MAX_CONDITION = 8192;
const assignments = new ResourceType(TYPE, `{scope}/providers/${TYPE}`, 'roleAssignmentName');

const createBody = body({
  properties: withReadOnly(
    {
      roleDefinitionId: z.string(),
      principalId: z.string().regex(GUID, 'a principal id is a GUID'),
      principalType: z.enum(['User', 'Group', 'ServicePrincipal', 'ForeignGroup', 'Device']).optional(),
      description: z.string().optional(),
      condition: z.string().nullish(),
      conditionVersion: z.string().nullish(),
      delegatedManagedIdentityResourceId: z.null().optional(),
    },
    ['scope', 'createdOn', 'updatedOn', 'createdBy', 'updatedBy'],
  ),
});

type RequestedAssignment = z.infer<typeof createBody>['properties'];

function present({ id, name, condition, ...properties }: RoleAssignmentDocument): Record<string, unknown> {
  const conditions = {
    condition: condition ?? null,
    conditionVersion: condition === undefined ? null : '2.0',
  };
  return { id, name, type: TYPE, properties: { ...properties, ...conditions } };
}

/** The type of the object with that id; undefined if there is none. */
function typeOf({ store }: ArmContext, id: string): 'Group' | 'ServicePrincipal' | undefined {
  if (store.principals.has(id)) return 'ServicePrincipal';
  return store.groups.has(id) ? 'Group' : undefined;
}

function checkPrincipal(context: ArmContext, call: ArmCall, requested: RequestedAssignment): void {
  const known = typeOf(context, requested.principalId);
  const { unknownServicePrincipals, unknownPrincipals } = RULES_SINCE;
  const since = requested.principalType === 'ServicePrincipal' ? unknownServicePrincipals : unknownPrincipals;
  if (known === undefined && (requested.principalType === undefined || call.apiVersion < since)) {
    throw new ArmError(
      400,
      'PrincipalNotFound',
      `Principal ${requested.principalId.replaceAll('-', '')} does not exist in the directory ${TENANT_ID}. Check that you have the correct principal ID. If you are creating this principal and then immediately assigning a role, this error might be related to a replication delay. In this case, set the role assignment principalType property to a value, such as ServicePrincipal, User, or Group. See https://aka.ms/docs-principaltype`,
    );
  }
  if (known !== undefined && requested.principalType !== undefined && requested.principalType !== known) {
    throw new ArmError(
      400,
      'UnmatchedPrincipalType',
      `The PrincipalId '${requested.principalId.replaceAll('-', '')}' has type '${known}', which is different from specified PrincipalType '${requested.principalType}'.`,
    );
  }
}

function checkDataActions(call: ArmCall, { permission }: RoleDefinition): void {
  const since = RULES_SINCE.assignedDataActions;
  const { dataActions, notDataActions } = permission;
  if (call.apiVersion >= since || dataActions.length + notDataActions.length === 0) return;
  throw new ArmError(
    400,
    'UnsupportedApiVersionForRoleDefinitionHasDataActions',
    `Assignments to roles with DataActions and NotDataActions are not supported on API version '${call.apiVersion}'. The minimum required API version for this operations is '${since}'.`,
  );
}

/**
 * Checks and returns the condition; undefined if there is none. Sources: MicrosoftDocs/azure-docs
 * `articles/role-based-access-control/conditions-role-assignments-rest.md` (the default version is 2.0; an empty string removes
 * the condition), `conditions-troubleshoot.md` (text) and `includes/role-based-access-control/limits.md` (length);
 * MicrosoftDocs/azure-security-docs `articles/key-vault/general/howto-abac-conditions-cli.md` (one line). No source gives the code.
 */
function checkedCondition({ condition, conditionVersion }: RequestedAssignment): string | undefined {
  if (condition === undefined || condition === null || condition === '') return undefined;
  const refused = (reason: string): ArmError =>
    badRequest(`The given role assignment condition is invalid. ${reason}`, 'condition');
  if ((conditionVersion ?? '2.0') !== '2.0') {
    throw refused(`Its conditionVersion is '${conditionVersion ?? ''}'; '2.0' is needed.`);
  }
  if (Buffer.byteLength(condition) > MAX_CONDITION) {
    throw refused(`It has ${Buffer.byteLength(condition)} bytes; ${MAX_CONDITION} are allowed.`);
  }
  if (/[\r\n]/.test(condition) && condition.includes('Microsoft.KeyVault/'))
    throw refused('It has more than one line.');
  try {
    parseCondition(condition);
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    if (error.reason === 'invalid') throw refused(error.message);
    // A stored condition that is never evaluated would grant more than requested.
    throw new ArmError(400, 'ConditionNotSupported', error.message, { target: 'condition' });
  }
  return condition;
}

/**
 * Refuses a request unless some role allows it and the conditions of the role are met. A write knows only the attributes of the
 * request; a deletion, only those of the existing role assignment.
 */
function checkConditions(context: ArmContext, call: ArmCall, action: string, known: Attributes): void {
  if (isAllowed(context.store, call.caller, action, call.scope, 'control', known)) return;
  throw new ArmError(
    403,
    'AuthorizationFailed',
    `The client '${call.caller.clientId}' with object id '${call.caller.objectId}' has an authorization with ABAC condition that is not fulfilled to perform action '${action}' over scope '${call.scope}'.`,
  );
}

const attributesOf = ({
  roleDefinitionId,
  principalId,
  principalType,
}: RequestedAssignment | RoleAssignmentDocument) => ({
  RoleDefinitionId: roleDefinitionId.split('/').pop(),
  PrincipalId: principalId,
  PrincipalType: principalType,
});

/**
 * Refuses to assign a custom role outside its assignable scopes. Source of code and status: public clients of Azure, which
 * retry after this error until a change of the role is effective. The text is not known.
 */
function checkAssignableScopes({ scope }: ArmCall, { roleName, assignableScopes }: RoleDefinition): void {
  if (assignableScopes?.some((assignable) => covers(assignable, scope)) !== false) return;
  throw new ArmError(
    400,
    'RoleAssignmentScopeNotAssignableToRoleDefinition',
    `The role '${roleName}' cannot be assigned at the scope '${scope}'; its assignable scopes are '${assignableScopes.join(',')}'.`,
  );
}

function create(
  context: ArmContext,
  call: ArmCall,
): { created: boolean; assignment: RoleAssignmentDocument } {
  const name = assignments.nameIn(call).toLowerCase();
  if (!GUID.test(name)) {
    throw new ArmError(
      400,
      'InvalidRoleAssignmentId',
      `The role assignment ID '${name}' is not valid. The role assignment ID must be a GUID.`,
    );
  }
  const requested = readBody(createBody, call.body, TYPE).properties;
  checkScope(context, call.scope);
  const role = findRole(context.store, requested.roleDefinitionId);
  if (role === undefined) {
    throw new ArmError(
      400,
      'RoleDefinitionDoesNotExist',
      `The specified role definition with ID '${requested.roleDefinitionId.split('/').pop() ?? ''}' does not exist.`,
    );
  }
  checkConditions(context, call, `${TYPE}/write`, { Request: attributesOf(requested) });
  checkAssignableScopes(call, role);
  checkDataActions(call, role);
  const condition = checkedCondition(requested);
  const roleId = roleDefinitionId(call.scope, role.name);
  const same = (current: RoleAssignmentDocument): boolean =>
    sameId(current.scope, call.scope) &&
    sameId(current.principalId, requested.principalId) &&
    sameId(current.roleDefinitionId, roleId);
  const stored = context.store.roleAssignments.values();
  // Names are unique in the whole directory, at any scope.
  const current = stored.find((each) => each.name === name);
  if (current !== undefined && !same(current)) {
    throw new ArmError(
      400,
      'RoleAssignmentUpdateNotPermitted',
      'Tenant ID, application ID, principal ID, and scope are not allowed to be updated.',
    );
  }
  const twin = stored.find((each) => each.name !== name && same(each));
  if (twin !== undefined) {
    throw new ArmError(
      409,
      'RoleAssignmentExists',
      `The role assignment already exists. The ID of the existing role assignment is ${twin.name.replaceAll('-', '')}.`,
    );
  }
  if (current === undefined) checkPrincipal(context, call, requested);
  const now = stamp(context);
  const assignment: RoleAssignmentDocument = {
    id: current?.id ?? `${call.scope}/providers/${TYPE}/${name}`,
    name,
    scope: current?.scope ?? call.scope,
    roleDefinitionId: roleId,
    principalId: requested.principalId.toLowerCase(),
    principalType:
      current?.principalType ??
      requested.principalType ??
      typeOf(context, requested.principalId) ??
      'ServicePrincipal',
    description: requested.description ?? current?.description,
    condition,
    createdOn: current?.createdOn ?? now,
    updatedOn: now,
    createdBy: current?.createdBy ?? call.caller.objectId,
    updatedBy: call.caller.objectId,
  };
  context.store.roleAssignments.set(assignment.id, assignment);
  return { created: current === undefined, assignment };
}

/** Without a filter: assignments at, above and below the scope. With `atScope()`: at and above it. */
function matching(context: ArmContext, call: ArmCall): RoleAssignmentDocument[] {
  const ofPrincipal = (value: string) => (each: RoleAssignmentDocument) => sameId(each.principalId, value);
  const assignedTo = (value: string) => {
    const subject = { objectId: value.toLowerCase(), groups: groupsOf(context.store, value.toLowerCase()) };
    return (each: RoleAssignmentDocument) => includes(subject, each.principalId);
  };
  const matches = filterOf<RoleAssignmentDocument>(call.query.get('$filter'), {
    'atScope()': () => (each) => covers(each.scope, call.scope),
    'principalId eq': ofPrincipal,
    'assignedTo()': assignedTo,
  });
  return context.store.roleAssignments
    .values()
    .filter((each) => covers(each.scope, call.scope) || covers(call.scope, each.scope))
    .filter(matches);
}

/** Role assignments at any scope. Only their description and their condition can be changed. */
export function roleAssignmentEndpoints(context: ArmContext): ArmEndpoint[] {
  const find = (call: ArmCall): RoleAssignmentDocument | undefined =>
    context.store.roleAssignments.get(`${call.scope}/providers/${TYPE}/${assignments.nameIn(call)}`);
  return [
    {
      ...assignments.endpoint('PUT', 'RoleAssignments_Create', (call) => {
        const { created, assignment } = create(context, call);
        return { status: created ? 201 : 200, body: present(assignment) };
      }),
      checksConditions: true,
      logsBody: true,
    },
    assignments.endpoint(
      'GET',
      'RoleAssignments_Get',
      (call) => {
        const assignment = find(call);
        if (assignment !== undefined) return { status: 200, body: present(assignment) };
        throw new ArmError(
          404,
          'RoleAssignmentNotFound',
          `The role assignment '${assignments.nameIn(call)}' is not found.`,
        );
      },
      ['tenantId'],
    ),
    {
      ...assignments.endpoint(
        'DELETE',
        'RoleAssignments_Delete',
        (call) => {
          const assignment = find(call);
          if (assignment === undefined) return { status: 204 };
          checkConditions(context, call, `${TYPE}/delete`, { Resource: attributesOf(assignment) });
          context.store.roleAssignments.delete(assignment.id);
          return { status: 200, body: present(assignment) };
        },
        ['tenantId'],
      ),
      checksConditions: true,
    },
    assignments.listEndpoint('RoleAssignments_ListForScope', (call) => matching(context, call).map(present), [
      '$filter',
      'tenantId',
    ]),
  ];
}
