import { allows } from '../../components/azure/permission';
import { apiVersions } from '../../components/azure/resourceManager';
import { roleGuidOf, roleName } from '../../components/azure/roles';
import { scopeKind } from '../../components/azure/scope';
import { fieldsOf } from '../../components/resource/fields';
import type { Configuration } from '../plan';
import { grantLists } from '../settings/grantLists';
import type { Problem } from '../settings/problem';
import type { ListInAzure } from './azureList';
import { memoize } from '../../components/resource/memoize';

const assigning = 'Microsoft.Authorization/roleAssignments/write';
/** Whoever has this permission can extend the role that they have. */
const defining = 'Microsoft.Authorization/roleDefinitions/write';

/**
 * Returns problems of roles that Azure would refuse to assign: unknown roles, and roles on scopes where the deploying identity
 * may not assign any. What cannot be read here is left to Azure.
 */
export async function roleProblems({ settings }: Configuration, list: ListInAzure): Promise<Problem[]> {
  const rights = new Map<string, Promise<boolean>>();
  const definitions = new Map<string, ReturnType<ListInAzure>>();
  const placedRoles = grantLists(settings).flatMap(({ path, roles }) =>
    roles.map((role, index) => ({ ...role, path: [...path, 'roles', index] })),
  );
  const problems = placedRoles.map(async ({ path, role, scope }): Promise<Problem[]> => {
    const [mayNot, unknown] = await Promise.all([
      memoize(rights, scope.toLowerCase(), () => mayNotAssign(scope, list)),
      definitionProblem(role, () =>
        memoize(definitions, scope.toLowerCase(), () =>
          list({
            path: `${scope}/providers/Microsoft.Authorization/roleDefinitions`,
            apiVersion: apiVersions.roles,
          }),
        ),
      ),
    ]);
    return [
      ...(unknown === undefined
        ? []
        : [{ path: [...path, 'role'], value: JSON.stringify(role), ...unknown }]),
      ...(mayNot
        ? [
            {
              path: [...path, 'scope'],
              value: JSON.stringify(scope),
              what: `is a scope where the deploying identity may not assign roles: it lacks ${assigning}, so Azure would refuse with AuthorizationFailed`,
              allowed: 'scopes where it has Role Based Access Control Administrator',
              hint: 'Ask the owner of the scope to grant it that role there, with a condition that allows this role, or name another scope.',
            },
          ]
        : []),
    ];
  });
  return (await Promise.all(problems)).flat();
}

/**
 * Tells whether the deploying identity may not assign roles on the scope. Azure answers this only for resource groups and resources.
 */
async function mayNotAssign(scope: string, list: ListInAzure): Promise<boolean> {
  if (!['resource', 'resource group'].includes(scopeKind(scope) ?? '')) return false;
  const found = await list({
    path: `${scope}/providers/Microsoft.Authorization/permissions`,
    apiVersion: apiVersions.permissions,
  });
  return found !== undefined && !found.some((permission) => allows(permission, assigning));
}

/** Returns the problem of a role that is not well-known: it does not exist, or it gives access. */
async function definitionProblem(
  role: string,
  definitions: () => ReturnType<ListInAzure>,
): Promise<Pick<Problem, 'what' | 'allowed' | 'hint'> | undefined> {
  const guid = roleGuidOf(role) ?? role;
  if (roleName(guid) !== undefined) return undefined;
  const all = await definitions();
  if (all === undefined) return undefined;
  const found = all.find(({ name }) => String(name).toLowerCase() === guid);
  if (found === undefined)
    return {
      what: 'is not the id of a role that can be assigned at this scope',
      allowed: 'a role whose assignable scopes include this scope',
      hint: '`az role definition list --scope SCOPE --query "[].{name:roleName, id:id}"` lists them.',
    };
  const { permissions } = fieldsOf(found['properties']);
  const giving = [assigning, defining].find(
    (action) => Array.isArray(permissions) && permissions.some((permission) => allows(permission, action)),
  );
  return giving !== undefined
    ? {
        what: `has ${giving}: its holder can assign roles to itself and to others, and so gain any access there`,
        allowed: 'roles that cannot grant access',
        hint: 'Name a role that covers only what the application does.',
      }
    : undefined;
}
