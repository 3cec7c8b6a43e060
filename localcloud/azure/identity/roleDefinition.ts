/** Actions that a role allows. `*` matches any characters; case is ignored. */
export interface Permission {
  actions: readonly string[];
  notActions: readonly string[];
  dataActions: readonly string[];
  notDataActions: readonly string[];
  /** Condition under which the permission applies. @default none: it always applies */
  condition?: string;
  /** Version of the condition's syntax. */
  conditionVersion?: string;
}

export interface RoleDefinition {
  /** GUID; that of a built-in role is the same in every directory. */
  name: string;
  roleName: string;
  description: string;
  permission: Permission;
  /** Ids of subscriptions and resource groups in which a custom role can be assigned. @default none: it is a built-in role */
  assignableScopes?: readonly string[];
}
