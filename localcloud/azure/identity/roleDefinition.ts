/** Actions that a role allows. `*` matches any characters; case is ignored. */
export interface Permission {
  actions: readonly string[];
  notActions: readonly string[];
  dataActions: readonly string[];
  notDataActions: readonly string[];
  /** The permission is there only if this is met. @default always */
  condition?: string;
  /** Version of the condition's syntax. */
  conditionVersion?: '2.0';
}

export interface RoleDefinition {
  /** GUID; that of a built-in role is the same in every directory. */
  name: string;
  roleName: string;
  description: string;
  permission: Permission;
  /** Ids of subscriptions and resource groups, in which a custom role can be assigned. @default a built-in role */
  assignableScopes?: readonly string[];
}

/** A built-in role. Omitted permissions are empty. */
export const role = (
  name: string,
  roleName: string,
  description: string,
  permission: Partial<Permission>,
): RoleDefinition => ({
  name,
  roleName,
  description,
  permission: { actions: [], notActions: [], dataActions: [], notDataActions: [], ...permission },
});
