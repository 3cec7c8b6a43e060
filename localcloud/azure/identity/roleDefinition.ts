/** Actions that a role allows. `*` matches any characters; case is ignored. */
export interface Permission {
  actions: readonly string[];
  notActions: readonly string[];
  dataActions: readonly string[];
  notDataActions: readonly string[];
}

export interface RoleDefinition {
  /** GUID; that of a built-in role is the same in every directory. */
  name: string;
  roleName: string;
  description: string;
  permission: Permission;
  /** GUIDs of the only roles that this role may assign, by its built-in condition. @default any role */
  assignable?: readonly string[];
  /** Ids of subscriptions and resource groups, in which a custom role can be assigned. @default a built-in role */
  assignableScopes?: readonly string[];
}

/** A built-in role. Omitted permissions are empty. */
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
