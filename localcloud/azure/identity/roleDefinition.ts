/** Actions that a role allows; `*` stands for any run of characters, case does not matter. */
export interface Permission {
  actions: readonly string[];
  notActions: readonly string[];
  dataActions: readonly string[];
  notDataActions: readonly string[];
}

export interface RoleDefinition {
  /** GUID, the same in every directory. */
  name: string;
  roleName: string;
  description: string;
  permission: Permission;
  /** Names of the only roles that it lets assign, by a condition of the role itself. @default any role */
  assignable?: readonly string[];
}

/** A built-in role; it has none of the permissions that are not given. */
export const role = (
  name: string,
  roleName: string,
  description: string,
  permission: Partial<Permission>,
  assignable?: readonly string[],
): RoleDefinition => ({
  name,
  roleName,
  description,
  permission: { actions: [], notActions: [], dataActions: [], notDataActions: [], ...permission },
  ...(assignable === undefined ? {} : { assignable }),
});
