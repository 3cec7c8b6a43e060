import { createHash } from 'node:crypto';

/** Built-in roles of Azure (MicrosoftDocs/azure-docs articles/role-based-access-control/built-in-roles). */
export const builtInRoles = {
  keyVaultSecretsUser: '4633458b-17de-408a-b874-0445c86b69e6',
} as const;

/** A role that the components assign. */
export type BuiltInRole = keyof typeof builtInRoles;

/**
 * Full id of a role definition. With the subscription of the scope in it, as the resource manager answers it:
 * the short form would come back changed and show a difference at every update.
 */
export function roleDefinitionId(scope: string, role: BuiltInRole): string {
  const subscription = /^\/subscriptions\/([^/]+)/i.exec(scope)?.[1];
  if (subscription === undefined) {
    throw new Error(`"${scope}" is not a scope in a subscription. Allowed: /subscriptions/<id>/…`);
  }
  return `/subscriptions/${subscription}/providers/Microsoft.Authorization/roleDefinitions/${builtInRoles[role]}`;
}

/** What makes a role assignment the one that it is. */
export interface RoleAssignmentKey {
  /** Resource id on which the role is given. */
  readonly scope: string;
  /** Object id of who gets it. */
  readonly principalId: string;
  /** Id of the role definition, full or only its GUID. */
  readonly roleDefinitionId: string;
}

/** Our own namespace for name-based UUIDs; changing it would replace every role assignment. */
const namespace = Buffer.from('a3e5b9de7cbb4f6f9b0e0f2c5d1c6a47', 'hex');

/**
 * Name of a role assignment, a GUID (RFC 9562 version 5) of scope, principal and role. The properties of an
 * assignment cannot be changed, so each difference must give another name: a recreated identity with the
 * old name is refused with RoleAssignmentUpdateNotPermitted.
 */
export function roleAssignmentName({
  scope,
  principalId,
  roleDefinitionId: role,
}: RoleAssignmentKey): string {
  const roleGuid = role.slice(role.lastIndexOf('/') + 1);
  // Resource ids and GUIDs are case-insensitive.
  const key = [scope, principalId, roleGuid].join('|').toLowerCase();
  const bytes = createHash('sha1').update(namespace).update(key).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
