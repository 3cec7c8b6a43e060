import type { Store } from '../store/store';
import data from './builtInRoles.json';
import type { Permission, RoleDefinition } from './roleDefinition';

export type { Permission, RoleDefinition } from './roleDefinition';

const NOTHING: Permission = { actions: [], notActions: [], dataActions: [], notDataActions: [] };

/** The built-in roles of Azure that workload identity, its dependencies and OpenShift's operators use. */
export const BUILT_IN_ROLES: readonly RoleDefinition[] = data.roles.map((role) => ({
  ...role,
  permission: { ...NOTHING, ...role.permission },
}));

const nameIn = (idOrName: string): string => (idOrName.split('/').pop() ?? '').toLowerCase();

/** The built-in role with that GUID, or with that role definition id. */
export function roleDefinition(idOrName: string): RoleDefinition | undefined {
  const name = nameIn(idOrName);
  return BUILT_IN_ROLES.find((candidate) => candidate.name === name);
}

/** The built-in or custom role with that GUID, or with that role definition id. */
export const findRole = (store: Pick<Store, 'customRoles'>, idOrName: string): RoleDefinition | undefined =>
  roleDefinition(idOrName) ?? store.customRoles.get(nameIn(idOrName));
